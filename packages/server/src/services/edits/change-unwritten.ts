import type { VersionChange, VersionOutcome } from '../../domain/documents/document-write.ts'
import type { ServicePorts } from '../service-ports.ts'
import { digestOf, type FoundVersion } from './edit-parts.ts'

/** A document gets a vector once for each model, so few versions follow with the same text. */
const PASSES_MAX = 5

/**
 * Changes documents that nobody has written since they were found. Another version with the same
 * JSON is no other document: one begins whenever a document gets the vector of its text.
 *
 * @returns an outcome for each version, in their order
 */
export async function changeUnwritten(
  { reader, writer }: Pick<ServicePorts, 'reader' | 'writer'>,
  { storeId, content }: { readonly storeId: string; readonly content: string },
  versions: readonly FoundVersion[],
  change: VersionChange,
): Promise<readonly VersionOutcome[]> {
  const outcomes = new Map<string, VersionOutcome>()
  let left = versions
  for (let pass = 0; pass < PASSES_MAX && left.length > 0; pass++) {
    const again: FoundVersion[] = []
    const given = await writer.changeVersions(
      storeId,
      left.map(({ id, docKey }) => ({ id, docKey })),
      change,
      content,
    )
    for (const [i, outcome] of given.entries()) {
      const version = left[i]!
      outcomes.set(version.id, outcome)
      if (outcome.status !== 'superseded') continue
      const current = await reader.get(storeId, version.id)
      if (current === undefined || current.docKey === version.docKey) continue
      if (digestOf(current.json) === version.digest) {
        again.push({ ...version, docKey: current.docKey })
      }
    }
    left = again
  }
  return versions.map(({ id }) => outcomes.get(id)!)
}
