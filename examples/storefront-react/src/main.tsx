import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
import type { PageData } from './page-data.ts'
import './shop.css'
import type { Connection } from './shop-config.ts'
import { Visit } from './visit.ts'

function read(id: string): unknown {
  const text = document.getElementById(id)?.textContent ?? ''
  return text === '' ? undefined : JSON.parse(text)
}

const connection = read('connection') as Connection | undefined
const root = document.getElementById('root')!
if (connection === undefined) {
  root.textContent = 'No store is configured: see README.md.'
} else {
  const first = read('page') as PageData | undefined
  const path = location.pathname + location.search
  const visit = new Visit(connection)
  const app = <App path={path} base={connection.base} first={first} visit={visit} />
  if (first === undefined) createRoot(root).render(app)
  else hydrateRoot(root, app)
}
