import type { ReactNode } from 'react'
import { Focusable, Tooltip, TooltipTrigger } from 'react-aria-components'
import './hint.css'

const WAIT_MS = 500

/** A tooltip on something focusable: a button, a link. */
export function Hint({
  text,
  children,
}: {
  readonly text: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <TooltipTrigger delay={WAIT_MS} closeDelay={0}>
      {children}
      <Tooltip className="hint" offset={6}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  )
}

/** A tooltip on text, which becomes focusable for the keyboard. */
export function TextHint({
  text,
  children,
}: {
  readonly text: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <Hint text={text}>
      <Focusable>
        <span className="text-hint" tabIndex={0} role="note">
          {children}
        </span>
      </Focusable>
    </Hint>
  )
}
