import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ThreadSample } from './memory-sampler.ts'

/**
 * What each thread of a process holds by kind. The least of a quarter is close to what is in use:
 * garbage comes on top of it.
 */
const KINDS = ['heap', 'external', 'arrayBuffers'] as const
const QUARTERS = 4
/** Threads that live shortly have few samples. */
const SAMPLES_MIN = 20

/** @returns variables for a service that writes its samples to this file */
export function sampledTo(file: string): Record<string, string> {
  const sampler = fileURLToPath(new URL('memory-sampler.ts', import.meta.url))
  return { CHAOS_MEMORY_FILE: file, NODE_OPTIONS: `--import ${sampler}` }
}

/** @returns a line for each thread: the least of each quarter, in MB, by kind */
export function threadLines(file: string): string[] {
  if (!existsSync(file)) return []
  const threads = new Map<string, ThreadSample[]>()
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const sample = JSON.parse(line) as ThreadSample
    const samples = threads.get(sample.thread)
    if (samples === undefined) threads.set(sample.thread, [sample])
    else samples.push(sample)
  }
  return [...threads]
    .filter(([, samples]) => samples.length >= SAMPLES_MIN)
    .map(([thread, samples]) => `thread ${thread}: ${leastByQuarter(samples)}`)
}

function leastByQuarter(samples: readonly ThreadSample[]): string {
  const count = Math.floor(samples.length / QUARTERS)
  return KINDS.map((kind) => {
    const least = Array.from({ length: QUARTERS }, (_, i) =>
      Math.min(...samples.slice(i * count, (i + 1) * count).map((sample) => sample[kind])),
    )
    return `${kind} ${least.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')}`
  }).join('; ')
}
