const NAME = /^snapshot-\d{8}T\d{6}Z(-\d{1,4})?$/

/** Names sort by time. They become folder names, so no other characters are allowed. */
export function isSnapshotName(text: string): boolean {
  return NAME.test(text)
}

/** The next free name for a snapshot at this moment. */
export function newSnapshotName(nowMs: number, isTaken: (name: string) => boolean): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const base = `snapshot-${stamp}`
  for (let i = 2, name = base; ; i++) {
    if (!isTaken(name)) return name
    name = `${base}-${i}`
  }
}

/** Newest first; within a second, the last one created. */
export function compareSnapshotNames(a: string, b: string): number {
  const [stampA, numberA] = parts(a)
  const [stampB, numberB] = parts(b)
  if (stampA !== stampB) return stampA < stampB ? 1 : -1
  return numberB - numberA
}

function parts(name: string): [string, number] {
  const [, stamp = '', number = '1'] = name.split('-')
  return [stamp, Number(number)]
}
