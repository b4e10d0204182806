import { importsOf, type SourceFile } from './source-files.ts'

/**
 * Files that import each other in a cycle, including type imports: Tarjan, "Depth-first search and
 * linear graph algorithms" (1972). The entry of a thread is not an import: the code that starts a
 * thread knows only its name.
 *
 * @returns the members of each cycle, the largest first
 */
export function importCircles(files: readonly SourceFile[]): string[][] {
  const targets = new Map(files.map((file) => [file.path, targetsOf(file)]))
  const visits = new Map<string, Visit>()
  const open: string[] = []
  const circles: string[][] = []

  const visit = (path: string): Visit => {
    const own: Visit = { number: visits.size, lowest: visits.size, isOpen: true }
    visits.set(path, own)
    open.push(path)
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue
      const known = visits.get(target)
      if (known === undefined) own.lowest = Math.min(own.lowest, visit(target).lowest)
      else if (known.isOpen) own.lowest = Math.min(own.lowest, known.number)
    }
    if (own.lowest === own.number) {
      const circle = open.splice(open.indexOf(path))
      for (const member of circle) visits.get(member)!.isOpen = false
      if (circle.length > 1) circles.push(circle.toSorted())
    }
    return own
  }

  for (const { path } of files) if (!visits.has(path)) visit(path)
  return circles.toSorted((a, b) => b.length - a.length)
}

interface Visit {
  readonly number: number
  lowest: number
  isOpen: boolean
}

function targetsOf(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ isThreadEntry }) => !isThreadEntry)
    .flatMap(({ target }) => (target === undefined ? [] : [target]))
}
