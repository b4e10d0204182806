export interface JsonFault {
  /** Offset in the text, in UTF-16 units. */
  readonly from: number
  readonly to: number
  readonly message: string
}

export interface JsonEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange?: (value: string) => void
  /** In addition to syntax errors, which the editor finds itself. */
  readonly faults?: (text: string) => readonly JsonFault[]
  readonly isReadOnly?: boolean
  readonly height?: number | string
}
