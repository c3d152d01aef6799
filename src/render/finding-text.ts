import { assertNever } from '../base/index.ts';
import type { EvidenceResult, Finding } from '../result/index.ts';
import type { Page } from './page.ts';
import type { Paint } from './paint.ts';
import { sourceLines } from './source-text.ts';
import { block } from './text.ts';

const BRIEF_NOTES = 3;
const BRIEF_EVIDENCE = 3;

/** Findings one under the other: all errors, and of the rest as many as a screen bears. */
export function findingLines(findings: readonly Finding[], page: Page): string[] {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const rest = findings.filter(({ severity }) => severity !== 'error');
  const shown = page.verbose ? rest : rest.slice(0, BRIEF_NOTES);
  const lines = [...errors, ...shown].flatMap((finding) => ['', ...oneFinding(finding, page)]);
  const left = rest.length - shown.length;
  return left === 0 ? lines : [...lines, page.paint.faint(`and ${left} more (--verbose)`)];
}

function oneFinding(finding: Finding, page: Page): string[] {
  const { paint } = page;
  const [title = '', ...more] = block(finding.title, 2, page.width);
  const heading = `${mark(finding.severity, paint)} ${paint.strong(title.trimStart())}`;
  const place = finding.where === null ? [] : sourceLines(finding.where, 2, paint);
  const hint = finding.hint === undefined ? [] : hinted(finding.hint, page);
  const docs = finding.docs === undefined ? [] : [`  ${paint.faint(finding.docs)}`];
  return [
    ...(more.length === 0
      ? [`${heading}  ${paint.faint(finding.code)}`]
      : [heading, ...more.map(paint.strong), `  ${paint.faint(finding.code)}`]),
    ...place,
    ...evidenceLines(finding.evidence, page),
    ...hint,
    ...(page.verbose ? docs : []),
  ];
}

function hinted(hint: string, { width, paint }: Page): string[] {
  const [first = '', ...more] = block(hint, 4, width);
  return [`  ${paint.good('→')} ${first.trimStart()}`, ...more];
}

/** What was seen. What the page has said already is not said again, unless all was asked for. */
function evidenceLines(evidence: readonly EvidenceResult[], page: Page): string[] {
  const fresh = page.verbose ? evidence : evidence.filter(({ text }) => !page.told.has(text));
  const shown = page.verbose ? fresh : fresh.slice(0, BRIEF_EVIDENCE);
  return shown.flatMap((item) => {
    page.told.add(item.text);
    const at = item.at === null ? '' : ` at ${page.elapsed(item.at)}`;
    return block(`${sourceWord(item.source)}${at}: ${item.text}`, 2, page.width, 2);
  });
}

function sourceWord(source: EvidenceResult['source']): string {
  switch (source) {
    case 'stack-event':
      return 'stack event';
    case 'service-event':
      return 'service event';
    case 'container-log':
      return 'container output';
    case 'inference':
      return 'follows';
    case 'task':
    case 'template':
    case 'scenario':
    case 'account':
      return source;
    default:
      return assertNever(source);
  }
}

function mark(severity: Finding['severity'], paint: Paint): string {
  switch (severity) {
    case 'error':
      return paint.bad('✗');
    case 'warning':
      return paint.warn('!');
    case 'note':
      return paint.faint('·');
    default:
      return assertNever(severity);
  }
}
