import type { ReactNode } from 'react'
import { Select } from '../../ui/choice.tsx'
import { Note } from '../../ui/states.tsx'
import type { OpenedFile, Reading } from '../../parts/import-file.ts'

const FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'tsv', label: 'TSV' },
  { value: 'json', label: 'JSON array' },
  { value: 'ndjson', label: 'JSONL, one object per line' },
] as const
const DELIMITERS = [
  { value: '', label: 'Recognised' },
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Bar' },
]
const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252', 'windows-1250', 'windows-1251', 'shift_jis']

/** How the file is read: detected, and correctable. */
export function ReadingForm({
  opened: { source, reading, rows },
  onRead,
}: {
  readonly opened: OpenedFile
  readonly onRead: (reading: Reading) => void
}): ReactNode {
  const { label: encoding, example } = rows.encoding
  const encodings = ENCODINGS.includes(encoding) ? ENCODINGS : [...ENCODINGS, encoding]
  return (
    <>
      <div className="import-reading">
        <Select
          label="Format"
          options={FORMATS}
          value={source.format}
          onChange={(format) => onRead({ ...reading, format })}
        />
        {rows.columns !== undefined && (
          <Select
            label="Between cells"
            options={DELIMITERS}
            value={reading.delimiter ?? ''}
            onChange={(delimiter) =>
              onRead({ ...reading, delimiter: delimiter === '' ? undefined : delimiter })
            }
          />
        )}
        <Select
          label="Encoding"
          options={encodings.map((value) => ({ value, label: value }))}
          value={encoding}
          onChange={(next) => onRead({ ...reading, encoding: next })}
        />
      </div>
      {example !== undefined && (
        <Note kind="warn">
          The file is not UTF-8: it is read as {encoding}, e.g. “{example}”. If that looks wrong,
          choose another encoding.
        </Note>
      )}
    </>
  )
}
