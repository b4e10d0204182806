import { Eye, EyeOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'
import { maskedSecret } from '../ui/code-block.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import './secret-value.css'

/** A key: masked until it is revealed; it can be copied without being shown. */
export function SecretValue({
  label,
  secret,
  isShown: isShownFirst = false,
}: {
  readonly label: string
  readonly secret: string
  readonly isShown?: boolean
}): ReactNode {
  const [isShown, show] = useState(isShownFirst)
  return (
    <span className="secret-value">
      <code className="cut">{isShown ? secret : maskedSecret(secret)}</code>
      <IconButton
        label={isShown ? `Hide ${label}` : `Show ${label}`}
        icon={isShown ? EyeOff : Eye}
        onPress={() => show(!isShown)}
      />
      <CopyButton text={secret} label={`Copy ${label}`} />
    </span>
  )
}

/**
 * Secrets that the service shows only once, kept while this tab is open, so that the code of the
 * guide can contain them. They do not outlive the tab.
 */
const KEY = 'aisle.secret.'

export function keepSecret(storeId: string, secret: string): void {
  try {
    sessionStorage.setItem(KEY + storeId, secret)
  } catch {
    // The guide then shows a placeholder.
  }
}

export function keptSecret(storeId: string): string | undefined {
  return sessionStorage.getItem(KEY + storeId) ?? undefined
}
