/** Hands a text to the person as a file. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  downloadParts(name, [text], type)
}

/** The same of a long text in parts, which need not stand in memory as one; or of bytes. */
export function downloadParts(name: string, parts: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken its own hold by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
