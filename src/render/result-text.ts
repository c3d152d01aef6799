import type { Finding, ResultDocument, ServiceResult, StackResult } from '../result/index.ts';
import { findingLines } from './finding-text.ts';
import { createPage, type Page, type TextOptions } from './page.ts';
import { createPaint, statusColour } from './paint.ts';
import { isTroubled, serviceLine, serviceLines } from './service-text.ts';
import { placeText } from './source-text.ts';
import { alignedLines, block, lastPart, plain, plural } from './text.ts';
import { stackLine, totalLine, verdictMeaning } from './verdict-text.ts';

const BRIEF_SERVICES_IN_FULL = 2;
const BRIEF_SERVICES = 8;
const BRIEF_LIST = 3;
const BRIEF_OUTPUTS = 10;

/**
 * The report of a run, for somebody who looks at a stack that does not come up: the verdict, the
 * first failure, what to change and where, and then what the services saw. A stack that is well
 * takes a few lines.
 *
 * @returns lines with line breaks; one screen for one failing service, unless all was asked for
 */
export function resultText(result: ResultDocument, options: TextOptions): string {
  const { stacks, diagnosis } = result;
  const paint = createPaint(options.colour);
  const names = new Set(stacks.map(({ stackName }) => stackName));
  const homeless = diagnosis.filter(({ stackName }) => !names.has(stackName));
  const blocks = stacks.map((stack) => stackLines(stack, result, options));
  const lines = [
    ...(stacks.length === 1 ? [] : [totalLine(result, paint), '']),
    ...separated(blocks),
    ...findingLines(homeless, createPage(options, null)),
    ...closingLines(result, options),
  ];
  return `${lines.join('\n')}\n`;
}

/** Blocks of one line follow each other; longer ones stand apart. */
function separated(blocks: readonly (readonly string[])[]): string[] {
  return blocks.flatMap((lines, index) => {
    const before = blocks[index - 1];
    const isApart = before !== undefined && (before.length > 1 || lines.length > 1);
    return isApart ? ['', ...lines] : lines;
  });
}

function stackLines(stack: StackResult, result: ResultDocument, options: TextOptions): string[] {
  const page = createPage(options, stack.startedAt);
  const findings = result.diagnosis.filter(({ stackName }) => stackName === stack.stackName);
  const meaning = verdictMeaning(stack.verdict);
  return [
    stackLine(stack, result.runtime, page.paint),
    ...(meaning === undefined ? [] : block(meaning, 0, page.width)),
    ...failureLines(stack, findings, page),
    ...findingLines(findings, page),
    ...servicesLines(stack, page),
    ...outputLines(stack, page),
    ...(page.verbose ? resourceLines(stack, page) : []),
  ];
}

function failureLines(stack: StackResult, findings: readonly Finding[], page: Page): string[] {
  const { failure } = stack;
  if (failure === null) return [];
  // A refusal is one sentence, which its finding says with the place.
  const isRefusal = stack.verdict === 'invalid';
  if (isRefusal && findings.some(({ title }) => title === failure.reason)) return [];
  page.told.add(plain(failure.reason));
  const isPlaced = findings.some(({ where }) => where !== null);
  const then = failure.then === null ? [] : [`and then: ${failure.then}`];
  return [
    '',
    failureHeading(stack, failure.logicalId, isPlaced, page),
    ...[failure.reason, ...then].flatMap((text) => block(text, 2, page.width)),
  ];
}

/** `Service  AWS::ECS::Service  CREATE_FAILED at 00:15.0`, with what is known of it. */
function failureHeading(stack: StackResult, id: string, isPlaced: boolean, page: Page): string {
  const { paint } = page;
  if (id === '<stack>') return paint.strong('the stack as a whole');
  const resource = stack.resources.find(({ logicalId }) => logicalId === id);
  const failed = stack.events.find(
    ({ logicalId, status }) => logicalId === id && status.endsWith('FAILED'),
  );
  const source = resource?.source ?? null;
  const parts = [
    paint.strong(id),
    resource?.type,
    failed && `${paint.bad(failed.status)} at ${page.elapsed(failed.at)}`,
    isPlaced || source === null ? undefined : placeText(source),
    resource?.constructPath ?? undefined,
  ];
  return parts.filter((part) => part !== undefined).join('  ');
}

/** A failing stack shows its troubled services in full, the one that failed first. */
function servicesLines(stack: StackResult, page: Page): string[] {
  const { services, failure } = stack;
  const isFailing = stack.verdict !== 'stable';
  const failedId = failure === null ? null : lastPart(failure.logicalId);
  const isFirst = ({ logicalId }: ServiceResult) => logicalId !== null && logicalId === failedId;
  const inOrder = [...services.filter(isFirst), ...services.filter((one) => !isFirst(one))];

  const troubled = inOrder.filter((service) => isFirst(service) || isTroubled(service));
  const inFull = page.verbose
    ? inOrder
    : isFailing
      ? troubled.slice(0, BRIEF_SERVICES_IN_FULL)
      : [];
  const inBrief = inOrder.filter((service) => !inFull.includes(service));
  const shown = inBrief.slice(0, BRIEF_SERVICES);
  const left = inBrief.length - shown.length;
  return [
    ...inFull.flatMap((service) => ['', ...serviceLines(service, page)]),
    ...(isFailing && shown.length > 0 ? [''] : []),
    ...shown.map((service) => `${isFailing ? '' : '  '}${serviceLine(service, page)}`),
    ...(left > 0 ? [`  and ${plural(left, 'more service')} (--verbose)`] : []),
  ];
}

function outputLines(stack: StackResult, page: Page): string[] {
  const outputs = Object.entries(stack.outputs);
  if (outputs.length === 0) return [];
  const shown = page.verbose ? outputs : outputs.slice(0, BRIEF_OUTPUTS);
  const rows = shown.map(([name, value]) => [{ text: name }, { text: plain(value) }]);
  const left = outputs.length - shown.length;
  return [
    ...(page.verbose || stack.verdict !== 'stable' ? [''] : []),
    page.paint.faint('outputs'),
    ...alignedLines(rows).map((line) => `  ${line}`),
    ...(left > 0 ? [`  and ${left} more (--verbose)`] : []),
  ];
}

function resourceLines(stack: StackResult, page: Page): string[] {
  const rows = stack.resources.map(({ logicalId, type, status, physicalId, statusReason }) => [
    { text: status, colour: statusColour(status, page.paint) },
    { text: logicalId },
    { text: type },
    { text: plain([physicalId, statusReason].filter((part) => part).join('  ')) },
  ]);
  if (rows.length === 0) return [];
  const lines = alignedLines(rows).map((line) => `  ${line}`.trimEnd());
  return ['', page.paint.faint('resources'), ...lines];
}

/** What the whole run took for granted, made up, and would need to be repeated. */
function closingLines(result: ResultDocument, options: TextOptions): string[] {
  const paint = createPaint(options.colour);
  const invented = result.inventions.map(({ kind, name, value }) => `${kind} ${name} = ${value}`);
  const lines = [
    ...listLines('assumed', result.assumptions, options),
    ...listLines('invented', invented, options),
  ];
  if (result.localVerdict !== result.verdict) {
    lines.push(`the run itself was ${result.localVerdict}; AWS is expected to end otherwise`);
  }
  if (options.verbose) {
    const { seed, deterministic } = result.runtime;
    const repeatable = deterministic ? `seed ${seed}` : 'not repeatable to the byte';
    lines.push(paint.faint(`${repeatable}, took ${result.wallSeconds} s`));
  }
  return lines.length === 0 ? [] : ['', ...lines];
}

function listLines(word: string, items: readonly string[], options: TextOptions): string[] {
  const shown = options.verbose ? items : items.slice(0, BRIEF_LIST);
  const left = items.length - shown.length;
  const indent = word.length + 2;
  const lines = shown.flatMap((item) => block(item, indent, options.width));
  if (left > 0) lines.push(`${' '.repeat(indent)}and ${left} more (--verbose)`);
  const faint = createPaint(options.colour).faint(word);
  return lines.map((line, index) => (index === 0 ? `${faint}  ${line.trimStart()}` : line));
}
