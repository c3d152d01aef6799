/**
 * Resource types that are known and that run something of their own which is not simulated yet.
 * They are created, and whether what they run is up stays undetermined (`docs/decisions.md` 6, 7).
 * `docs/not-simulated.md` is made from this list, and a test holds both together.
 */
export const NOT_SIMULATED: { readonly [typeName: string]: string } = {
  'AWS::CloudFormation::Stack': 'the resources of a nested stack are not run',
  'AWS::ECS::ExpressGatewayService': 'the tasks of an express service are not run',
  'AWS::AppRunner::Service': 'the instances of an App Runner service are not run',
};
