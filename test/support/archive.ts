/** Several files on one page: a comment, then sections that begin with `-- name --`. */
export interface Archive {
  readonly comment: string;
  readonly files: readonly (readonly [name: string, text: string])[];
}

const MARKER = /^-- (.+) --$/;

export function parseArchive(text: string): Archive {
  let comment = '';
  const files: [string, string][] = [];
  for (const line of text.split(/(?<=\n)/)) {
    const name = MARKER.exec(line.trimEnd())?.[1];
    const last = files.at(-1);
    if (name !== undefined) files.push([name, '']);
    else if (last === undefined) comment += line;
    else last[1] += line;
  }
  return { comment, files };
}

export function formatArchive({ comment, files }: Archive): string {
  return comment + files.map(([name, text]) => `-- ${name} --\n${text}`).join('');
}
