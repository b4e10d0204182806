import type { ReactNode } from 'react'
import { Mark } from '../../ui/mark.tsx'
import '../../session/login-screen.css'

/** Where the one-time link of the first start leads: the first owner is made here. */
export function FirstRunScreen(): ReactNode {
  return (
    <main className="login-page">
      <div className="login-card">
        <Mark size={32} />
        <h1>Make the first owner</h1>
      </div>
    </main>
  )
}
