/** A place in a file the user wrote. Lines and columns count from 1; `path` is as the user gave it. */
export interface SourceSpan {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The text of that line, so that a message can show it without reading the file again. */
  readonly lineText: string;
}
