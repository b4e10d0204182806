import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { reloadWhenReplaced } from './shell/newer-pages.ts'
import './ui/theme.css'
import './ui/base.css'

reloadWhenReplaced()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
