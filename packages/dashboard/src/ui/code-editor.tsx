import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { linter, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef, type ReactNode } from 'react'
import './code-editor.css'

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

/** Tokens of theme.css also apply inside the shadow tree. */
const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--text)' },
  { tag: tags.number, color: 'var(--series-2)' },
  { tag: [tags.bool, tags.null], color: 'var(--series-4)' },
  { tag: tags.punctuation, color: 'var(--muted)' },
])
const THEME = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '19px' },
  '.cm-gutters': { background: 'transparent', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--accent-soft) !important',
  },
  '.cm-tooltip': {
    background: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
  },
  '.cm-diagnostic': { fontFamily: 'var(--font)' },
})

/**
 * CodeMirror in a shadow tree. There its styles are constructed style sheets, which the page's
 * policy allows, not style elements.
 */
export function CodeEditor({
  label,
  value,
  onChange,
  faults,
  isReadOnly = false,
  height = 240,
}: JsonEditorProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ value, onChange, faults })
  useEffect(() => {
    latest.current = { value, onChange, faults }
  })

  useEffect(() => {
    const element = place.current
    if (element === null) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          // Tab leaves the editor, as everywhere on the page.
          keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
          json(),
          linter((editor) => allFaults(editor, latest.current.faults)),
          syntaxHighlighting(COLORS),
          THEME,
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.domEventHandlers({ beforeinput: replaceText }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [label, isReadOnly])

  // The value changed from outside, not by typing.
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  // Shows errors from the service at once, not with the next key. (`forceLinting` does nothing when
  // the text has been checked since the last key, as it has after a slow answer.)
  useEffect(() => {
    const editor = view.current
    if (faults === undefined || editor === undefined) return
    editor.dispatch(setDiagnostics(editor.state, allFaults(editor, faults)))
  }, [faults])

  return <div ref={place} className="code-editor" style={{ height }} />
}

/**
 * Text that is typed over other text. Chrome would keep the colour of what it replaces in a style
 * attribute, which the policy of the page forbids.
 */
function replaceText(event: InputEvent, editor: EditorView): boolean {
  const { inputType, data } = event
  // The browser's own, since the editor hears of a selection later. A shadow tree has it in Chrome.
  const selected = (editor.root as Partial<Document>).getSelection?.()
  if (inputType !== 'insertText' || data === null || !selected?.anchorNode || !selected.focusNode)
    return false
  const anchor = editor.posAtDOM(selected.anchorNode, selected.anchorOffset)
  const head = editor.posAtDOM(selected.focusNode, selected.focusOffset)
  if (anchor === head) return false
  event.preventDefault()
  if (editor.state.readOnly) return true
  const from = Math.min(anchor, head)
  editor.dispatch({
    changes: { from, to: Math.max(anchor, head), insert: data },
    selection: { anchor: from + data.length },
    userEvent: 'input.type',
    scrollIntoView: true,
  })
  return true
}

function allFaults(editor: EditorView, faults: JsonEditorProps['faults']): Diagnostic[] {
  return [...jsonFaults(editor), ...furtherFaults(editor, faults)]
}

function jsonFaults(editor: EditorView): Diagnostic[] {
  return editor.state.doc.length === 0 ? [] : jsonParseLinter()(editor)
}

function furtherFaults(editor: EditorView, faults: JsonEditorProps['faults']): Diagnostic[] {
  const { length } = editor.state.doc
  return (faults?.(editor.state.doc.toString()) ?? []).map(({ from, to, message }) => ({
    from: Math.min(from, length),
    to: Math.min(to, length),
    message,
    severity: 'error' as const,
  }))
}
