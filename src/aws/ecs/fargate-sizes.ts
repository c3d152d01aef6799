/** Fargate's sizes: CPU units → memory in MiB (7.30 to 7.37). */
const FARGATE_SIZES: { readonly [cpu: number]: readonly number[] } = {
  256: [512, 1024, 2048],
  512: range(1024, 4096, 1024),
  1024: range(2048, 8192, 1024),
  2048: range(4096, 16384, 1024),
  4096: range(8192, 30720, 1024),
  8192: range(16384, 61440, 4096),
  16384: range(32768, 122880, 8192),
  32768: [61440, 122880, 249856],
};

function range(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);
}

/** The CPU sizes that Fargate offers to Windows (7.32 to 7.34). */
export const FARGATE_WINDOWS_CPU: readonly number[] = [1024, 2048, 4096];

/** `256`, `.25 vCPU`, `1 vcpu` → CPU units; undefined when it is none of these. */
export function parseCpuUnits(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const [, amount] = /^(\d*\.?\d+)\s*vcpu$/i.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Number(amount) * 1024;
}

/** `512`, `0.5 GB`, `1gb` → MiB; undefined when it is none of these. */
export function parseMemoryMebibytes(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const [, amount] = /^(\d*\.?\d+)\s*gb$/i.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Number(amount) * 1024;
}

/** The memory sizes in MiB that Fargate offers with so many CPU units; none: no such CPU size. */
export function fargateMemorySizes(cpuUnits: number): readonly number[] {
  return FARGATE_SIZES[cpuUnits] ?? [];
}
