import { isObject, type JsonObject, type JsonValue, type Path } from '../../base/index.ts';

/** Members whose own keys are the user's words and keep their spelling. */
const FREE_FORM = new Set(['DockerLabels', 'Options', 'DriverOpts', 'Labels']);

/** The one member of a service that has another name in the API, not just another spelling. */
const RENAMED = { template: 'PlacementStrategies', api: 'placementStrategy' };

/** CloudFormation's spelling of a request (`DesiredCount`) to the ECS API's (`desiredCount`). */
export function toApi(properties: JsonObject): JsonObject {
  const request: JsonObject = {};
  for (const [key, value] of Object.entries(properties)) {
    request[decapitalised(key)] = FREE_FORM.has(key) ? value : valueToApi(value);
  }
  return request;
}

function valueToApi(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(valueToApi);
  return isObject(value) ? toApi(value) : value;
}

/** `EFSVolumeConfiguration` → `efsVolumeConfiguration`: a run of capitals goes down as one. */
function decapitalised(key: string): string {
  if (key === RENAMED.template) return RENAMED.api;
  return key.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase());
}

/** Where a template says what a request says at the path: the way back from `toApi`. */
export function toTemplate(path: Path): Path {
  return path.map((step) => {
    if (typeof step === 'number') return step;
    return step === RENAMED.api ? RENAMED.template : step.charAt(0).toUpperCase() + step.slice(1);
  });
}
