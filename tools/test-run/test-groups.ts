/** So long the files of a process may take together, if they are more than one. */
const GROUP_SECONDS_MAX = 20

/**
 * Divides test files into groups, each of which runs in one process: starting a process for each
 * file would take longer than most files do, and a process that crashes takes only its group along.
 * Neighbours stay together, because they load the same code.
 *
 * @returns the longest first, so that the last ones to run are short
 */
export function testGroups(
  files: readonly string[],
  secondsOf: (file: string) => number,
  secondsMax = GROUP_SECONDS_MAX,
): string[][] {
  const groups: TestGroup[] = []
  let open: TestGroup = { files: [], seconds: 0 }
  for (const file of files.toSorted()) {
    const seconds = secondsOf(file)
    if (seconds >= secondsMax) groups.push({ files: [file], seconds })
    else {
      if (open.seconds + seconds > secondsMax) {
        groups.push(open)
        open = { files: [], seconds: 0 }
      }
      open.files.push(file)
      open.seconds += seconds
    }
  }
  if (open.files.length > 0) groups.push(open)
  return groups.toSorted((a, b) => b.seconds - a.seconds).map((group) => group.files)
}

interface TestGroup {
  readonly files: string[]
  seconds: number
}
