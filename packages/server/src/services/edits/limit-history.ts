import type { ServicePorts } from '../service-ports.ts'
import { EDIT_RECORDS, isOver, type EditRecord } from './edit-record.ts'

/**
 * Drops former values, those of the oldest edit first, until they fit.
 *
 * @returns the record afterwards
 */
export async function limitHistory(
  ports: Pick<ServicePorts, 'edits'>,
  record: EditRecord,
  maxBytes: number,
): Promise<EditRecord | undefined> {
  const { edits } = ports
  const drop = (edit: Pick<EditRecord, 'content' | 'id'>) =>
    EDIT_RECORDS.update(ports, edit, (one) => ({ ...one, history: 'dropped', historyBytes: 0 }))
  const others = (await EDIT_RECORDS.list(ports, record.content)).filter(
    (one) => one.id !== record.id && one.history === 'kept' && isOver(one),
  )
  let bytes = others.reduce((sum, one) => sum + one.historyBytes, record.historyBytes)
  while (bytes > maxBytes && others.length > 0) {
    const oldest = others.pop()!
    bytes -= oldest.historyBytes
    await drop(oldest)
    await edits.removeParts(oldest.id)
  }
  if (bytes <= maxBytes && record.history === 'kept') return record
  const dropped = record.history === 'kept' ? await drop(record) : record
  await edits.removeParts(record.id, record.nextPart)
  return dropped
}
