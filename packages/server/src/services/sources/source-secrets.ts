import { ApiError } from '@aisle/contract'
import { SealedTexts } from '../../domain/access/sealed-text.ts'
import type { SourcePorts } from './source-ports.ts'
import type { SourceRecord } from './source-record.ts'

/** Texts of another purpose are encrypted with another key. */
const PURPOSE = 'secrets of sources'

type Key = Pick<SourcePorts, 'addressKey'>

export function sealSecrets(
  { addressKey }: Key,
  sourceId: string,
  secrets: Readonly<Record<string, string>>,
): Pick<SourceRecord, 'sealedSecrets' | 'secretNames'> {
  const texts = new SealedTexts(addressKey, PURPOSE)
  return {
    sealedSecrets: texts.seal(JSON.stringify(secrets), sourceId),
    secretNames: Object.keys(secrets),
  }
}

/** @throws ApiError source_unreadable if the key of the installation has changed */
export function secretsOf(
  { addressKey }: Key,
  { id, sealedSecrets }: Pick<SourceRecord, 'id' | 'sealedSecrets'>,
): Readonly<Record<string, string>> {
  if (sealedSecrets === undefined) return {}
  const text = new SealedTexts(addressKey, PURPOSE).open(sealedSecrets, id)
  if (text !== undefined) return JSON.parse(text) as Record<string, string>
  throw new ApiError(
    'source_unreadable',
    'Its secrets were encrypted with a key that this installation does not have: enter them again',
  )
}
