import { useState, type ReactNode } from 'react'
import { Form } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { firstRunSecret } from './first-run-link.ts'

/** Leads to the page of the first owner from the link that the first start printed. */
export function FirstRunForm(): ReactNode {
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const secret = firstRunSecret(text)
  const go = (): void => {
    setTried(true)
    if (secret === undefined) return
    location.assign(`/first-run#${secret}`)
  }
  return (
    <details className="login-first-run">
      <summary>First start? Use the setup link</summary>
      <Form onSubmit={go} submit={{ label: 'Open link', isPending: false }}>
        <TextField
          label="Setup link"
          about="The service prints it at its first start. It works once."
          value={text}
          onChange={setText}
          isMono
          error={
            isTried && secret === undefined
              ? 'Copy all of the link, including the part after the #'
              : undefined
          }
        />
      </Form>
    </details>
  )
}
