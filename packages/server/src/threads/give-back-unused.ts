import { compactWhenWorthwhile } from '../adapters/lmdb/compaction.ts'
import type { DiskWatch } from '../adapters/shared-memory/disk-watch.ts'
import type { Log } from './logger.ts'
import type { PostponedWork } from './postponed-work.ts'

/**
 * Compacts the document file where that pays off. The service also runs without it, on a larger
 * disk.
 */
export async function giveBackUnused(
  folder: string,
  disk: DiskWatch,
  postponed: PostponedWork,
  log: Log,
): Promise<void> {
  try {
    const outcome = await compactWhenWorthwhile(folder, disk.backgroundRoomBytes)
    if (outcome?.kind === 'compacted') log('info', 'The document file was compacted', outcome.use)
    if (outcome?.kind === 'not enough disk space') postponed.note('compaction', outcome.use)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log('warn', 'Could not compact the document file; using it as it is', { error: reason })
  }
}
