import type { SourcePorts } from './source-ports.ts'
import type { PartGroup } from './source-record.ts'

export async function* partsOf(
  { edits }: Pick<SourcePorts, 'edits'>,
  { id }: PartGroup,
): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const part = await edits.part(id, number)
    if (part === undefined) return
    yield part
  }
}
