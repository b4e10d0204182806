import { Check, Copy } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { toast } from '../state/toasts.ts'
import { IconButton } from './button.tsx'

const SHOWN_MS = 1_600

/** Copies a text, and confirms it briefly. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string
  readonly label?: string
}): ReactNode {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    if (await copyText(text)) setCopied(true)
    else toast("Your browser doesn't allow copying. Select the text instead.", 'bad')
  }
  return (
    <IconButton
      label={isCopied ? 'Copied' : label}
      icon={isCopied ? Check : Copy}
      onPress={() => void copy()}
    />
  )
}

/** The clipboard API works only over TLS or on this machine; the old way works everywhere. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'visually-hidden'
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}
