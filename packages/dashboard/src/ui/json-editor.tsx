import { lazy, Suspense, type ReactNode } from 'react'
import type { JsonEditorProps } from './code-editor.tsx'
import { Skeleton } from './states.tsx'

const Editor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

/** JSON with colours, folding and errors in place; loaded on first use. */
export function JsonEditor(props: JsonEditorProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 240} />}>
      <Editor {...props} />
    </Suspense>
  )
}
