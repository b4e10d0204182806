import type { ReactNode } from 'react'

/** The logo of Aisle: a gate to walk through. */
export function Mark({ size = 24 }: { readonly size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="#0f6b62" />
      <path
        d="M9 24V14a7 7 0 0 1 14 0v10"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <path d="M13 19h6" stroke="#8fe0d2" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
