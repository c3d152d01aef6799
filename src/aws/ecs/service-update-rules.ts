import { type JsonObject, type JsonValue, sameJson } from '../../base/index.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, list, number, text } from './request-values.ts';
import { controllerTypeOf } from './service-rules-controllers.ts';

const STRATEGY = 'capacityProviderStrategy';

/** What both CODE_DEPLOY and EXTERNAL leave to others: 2.31, 2.32. */
const NOT_OF_THE_SERVICE = [
  ...['taskDefinition', 'networkConfiguration', 'platformVersion', 'loadBalancers'],
  ...['serviceRegistries', 'serviceConnectConfiguration', 'volumeConfigurations'],
  ...['vpcLatticeConfigurations', STRATEGY],
];

/** 1.56 to 1.60, 2.31, 2.32: what an update asks of a service as it stands. */
export function updateFaults(standing: JsonObject, asked: JsonObject): readonly RequestFault[] {
  const { deploymentController } = asked;
  const changesController =
    isGiven(deploymentController) && controllerTypeOf(asked) !== controllerTypeOf(standing);
  return [
    // Under another controller other fields are accepted; whose rule counts then was not seen.
    ...(changesController ? [] : controlledFaults(standing, asked)),
    ...strategyFaults(standing, asked),
  ];
}

function controlledFaults(standing: JsonObject, asked: JsonObject): readonly RequestFault[] {
  switch (controllerTypeOf(standing)) {
    case 'CODE_DEPLOY':
      return codeDeployFaults(standing, asked);
    case 'EXTERNAL':
      return externalFaults(standing, asked);
    default:
      return [];
  }
}

/** 1.56 to 1.58, 2.31: for other fields AWS's wording was not seen. */
function codeDeployFaults(standing: JsonObject, asked: JsonObject): readonly RequestFault[] {
  const told = (what: string) =>
    `${what} on services with a CODE_DEPLOY deployment controller. Use AWS CodeDeploy to trigger a new deployment.`;
  return [
    ...NOT_OF_THE_SERVICE.flatMap((field) =>
      faultIf(changes(field, standing, asked), told(`Unable to update ${called(field)}`), [field]),
    ),
    ...faultIf(asked['forceNewDeployment'] === true, told('Cannot force a new deployment'), [
      'forceNewDeployment',
    ]),
  ];
}

function called(field: string): string {
  if (field === 'taskDefinition') return 'task definition';
  return field === 'networkConfiguration' ? 'network parameters' : field;
}

/** 2.32; how AWS words it was not seen. */
function externalFaults(standing: JsonObject, asked: JsonObject): readonly RequestFault[] {
  return [...NOT_OF_THE_SERVICE, 'deploymentConfiguration'].flatMap((field) => {
    const message = `Unable to update ${called(field)} on services with an EXTERNAL deployment controller.`;
    return faultIf(changes(field, standing, asked), message, [field]);
  });
}

/** What is absent stays, and what is asked for as it is changes nothing (2.30). */
function changes(field: string, standing: JsonObject, asked: JsonObject): boolean {
  const [is, wanted] = [standing[field], asked[field]];
  if (wanted === undefined || wanted === null) return false;
  if (!isGiven(wanted) && !isGiven(is)) return false;
  if (field === 'platformVersion') return (text(is) ?? 'LATEST') !== text(wanted);
  if (field === 'taskDefinition') return !isNamedBy(text(is) ?? '', text(wanted) ?? '');
  return !sameJson(is, wanted);
}

/** By its ARN, as `family:revision`, or as the family, of which it may be the newest. */
function isNamedBy(arn: string, name: string): boolean {
  const short = arn.split('/').at(-1) ?? arn;
  return [arn, short, short.split(':')[0]].includes(name);
}

/** 1.59, 1.60. */
function strategyFaults(standing: JsonObject, asked: JsonObject): readonly RequestFault[] {
  const wanted = asked[STRATEGY];
  const [is, becomes] = [strategyOf(standing[STRATEGY]), strategyOf(wanted)];
  if (!Array.isArray(wanted) || sameJson(is, becomes)) return [];
  if (becomes.length === 0 && !isGiven(standing['launchType'])) {
    const message =
      'No launch type to fall back to for empty capacity provider strategy. Your service was not created with a launch type.';
    return [{ message, path: [STRATEGY] }];
  }
  const message =
    'When switching from launch type to capacity provider strategy on an existing service, or making a change to a capacity provider strategy on a service that is already using one, you must force a new deployment.';
  return faultIf(asked['forceNewDeployment'] !== true, message, [STRATEGY]);
}

/** With the defaults that count where nothing is given (7.12). */
function strategyOf(value: JsonValue | undefined): JsonObject[] {
  return list(value).map(({ capacityProvider, weight, base }) => ({
    ...{ capacityProvider: text(capacityProvider) ?? '' },
    ...{ weight: number(weight) ?? 0, base: number(base) ?? 0 },
  }));
}
