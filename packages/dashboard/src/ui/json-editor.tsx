import { lazy, Suspense, type ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

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
  /** Beside what is no JSON at all, which the editor sees by itself. */
  readonly faults?: (text: string) => readonly JsonFault[]
  readonly isReadOnly?: boolean
  readonly height?: number | string
}

const Editor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

/** JSON with colours, folding and faults in place; loaded with the first one. */
export function JsonEditor(props: JsonEditorProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 240} />}>
      <Editor {...props} />
    </Suspense>
  )
}
