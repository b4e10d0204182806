/** Microseconds that the searches of a service have spent in each stage since its start. */
export type StageTime = Readonly<Record<'plan' | 'execute' | 'present', number>>

/** By the service's clock: time that other processes take meanwhile counts too. */
export async function stageTime(url: string): Promise<StageTime> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const pattern = /^aisle_search_stage_seconds_total\{stage="(\w+)"\} (\S+)$/gm
  const found = new Map([...text.matchAll(pattern)].map(([, stage, sum]) => [stage, Number(sum)]))
  const micros = (stage: keyof StageTime): number => (found.get(stage) ?? 0) * 1e6
  return { plan: micros('plan'), execute: micros('execute'), present: micros('present') }
}
