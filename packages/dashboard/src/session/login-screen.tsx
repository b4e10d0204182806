import type { CurrentSession } from '@aisle/client'
import { useEffect, type ReactNode } from 'react'
import { Mark } from '../ui/mark.tsx'
import { FirstRunForm } from './first-run-form.tsx'
import { LoginForm } from './login-form.tsx'
import './login-screen.css'

/** For visitors without a session. The address stays, so a link works after the login. */
export function LoginScreen({
  onLoggedIn,
}: {
  readonly onLoggedIn: (session: CurrentSession) => void
}): ReactNode {
  useEffect(() => {
    document.title = 'Log in · Aisle'
  }, [])
  return (
    <main className="login-page">
      <div className="login-card card">
        <header className="login-header stack gap-4">
          <Mark size={32} />
          <h1>Log in to Aisle</h1>
          <p className="muted">Search for your shop: products, rules, analytics.</p>
        </header>
        <LoginForm onLoggedIn={onLoggedIn} />
        <FirstRunForm />
        <p className="small muted">
          No login yet? An owner can create one under People. Create the first one with{' '}
          <code>aisle user create you@example.com --role owner</code>.
        </p>
      </div>
    </main>
  )
}
