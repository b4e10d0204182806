/** Downloads a text as a file. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  downloadParts(name, [text], type)
}

/** The same for a long text in parts, which need not be in memory as one string. */
export function downloadParts(name: string, parts: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the download holds its own reference.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
