import { useState, type ReactNode } from 'react'
import { usePreference } from '../state/stored.ts'
import { CopyButton } from './copy-button.tsx'
import './code-block.css'

export interface CodeSample {
  /** `curl`, `JavaScript`. */
  readonly label: string
  readonly code: string
}

const MASK_SHOWN_CHARS = 6

/**
 * Code to copy: one tab per language, with real keys, which are masked until they are copied or
 * shown.
 */
export function CodeBlock({
  label,
  samples,
  secrets = [],
}: {
  readonly label: string
  readonly samples: readonly CodeSample[]
  readonly secrets?: readonly string[]
}): ReactNode {
  // Somebody who works in one language wants all samples in it.
  const [language, setLanguage] = usePreference('language', samples[0]?.label ?? '')
  const [areSecretsShown, showSecrets] = useState(false)
  const sample = samples.find((one) => one.label === language) ?? samples[0]
  if (sample === undefined) return null
  const hasSecrets = secrets.some((secret) => secret !== '' && sample.code.includes(secret))
  const shown = areSecretsShown ? sample.code : masked(sample.code, secrets)
  return (
    <figure className="code-block card" aria-label={label}>
      <figcaption className="code-block-bar">
        <span className="row grow" role="group" aria-label="Language">
          {samples.map((one) => (
            <button
              key={one.label}
              type="button"
              className="code-block-language"
              aria-pressed={one === sample}
              onClick={() => setLanguage(one.label)}
            >
              {one.label}
            </button>
          ))}
        </span>
        {hasSecrets && (
          <button
            type="button"
            className="code-block-language"
            onClick={() => showSecrets(!areSecretsShown)}
          >
            {areSecretsShown ? 'Hide keys' : 'Show keys'}
          </button>
        )}
        <CopyButton text={sample.code} label={hasSecrets ? 'Copy with keys' : 'Copy'} />
      </figcaption>
      <pre tabIndex={0} aria-label={`${label}, ${sample.label}`}>
        <code>{shown}</code>
      </pre>
    </figure>
  )
}

/** A key as shown while masked. */
export function maskedSecret(secret: string): string {
  return `${secret.slice(0, MASK_SHOWN_CHARS)}••••••••`
}

function masked(code: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, maskedSecret(secret)), code)
}

/** A sentence of the API document: text between backticks is code. */
export function ProseText({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, i) =>
    // Every second part was between backticks; parts have no identity except their index.
    i % 2 === 1 ? <code key={i}>{part}</code> : part,
  )
}
