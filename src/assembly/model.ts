/** A CDK cloud assembly as plain data: what there is to deploy, in which order. */
export interface Assembly {
  readonly folder: string; // as the user gave it
  /** Stacks of the assembly and of all assemblies nested in it; each after those it depends on. */
  readonly stacks: readonly StackArtifact[];
  /** Look-ups that the app could not make yet: templates hold dummy values in their place (K5). */
  readonly missing: readonly MissingContext[];
  /** What was left out of account, one sentence each. */
  readonly notes: readonly string[];
}

export interface MissingContext {
  readonly key: string; // vpc-provider:account=123456789012:…
  readonly provider: string; // vpc-provider
}

/** One stack of an assembly (K3). */
export interface StackArtifact {
  /** Its key in the manifest, which dependencies name; unique in the whole assembly. */
  readonly id: string;
  readonly stackName: string;
  /** What the CDK shows and takes as its name, a path for stages: `Prod/Web`. */
  readonly displayName: string;
  /** From the current folder, as the folder of the assembly was given. */
  readonly templateFile: string;
  readonly parameters: { readonly [name: string]: string };
  /** Values for parameters by which the template asks for files, where it declares them (K13). */
  readonly assetParameters: { readonly [name: string]: string };
  readonly tags: { readonly [key: string]: string };
  readonly account?: string; // absent: unknown, the deployment decides (K5)
  readonly region?: string;
  /** Artifact ids of the stacks it directly waits for. */
  readonly dependencies: readonly string[];
  /** Files to upload, by the object key they get; nested templates among them. */
  readonly files: { readonly [objectKey: string]: FileAsset };
  /** Images to build, by the tag they get (K8). */
  readonly images: { readonly [imageTag: string]: ImageAsset };
}

export interface FileAsset {
  readonly hash: string;
  /** From the current folder; absent where a program makes the file. */
  readonly path?: string;
  readonly packaging: 'file' | 'zip';
}

export interface ImageAsset {
  readonly hash: string;
  readonly repositoryName: string; // may hold ${AWS::AccountId} and ${AWS::Region} (K7)
  /** Where to build it, from the current folder; absent where a program makes the image. */
  readonly directory?: string;
  readonly dockerFile: string; // relative to `directory`
  readonly target?: string;
  readonly buildArgs: { readonly [name: string]: string };
  readonly platform?: string; // linux/arm64
}
