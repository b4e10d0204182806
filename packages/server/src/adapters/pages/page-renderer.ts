import type { DrawnPage, PageFiles, PageRenderer } from '../../ports/host/page-files.ts'

const RENDERER = 'render/render.js'

interface RendererModule {
  renderPage(page: DrawnPage & { readonly template: string }): Promise<string>
}

/**
 * Renders pages with the code that was built with them. It is loaded on the first request, from
 * memory, so that pages and code are of the same build.
 */
export function openPageRenderer(files: PageFiles | undefined): PageRenderer | undefined {
  const code = files?.find(RENDERER)
  const page = files?.find('index.html')
  if (code === undefined || page === undefined) return undefined
  let loaded: Promise<RendererModule> | undefined
  const template = page.read('identity').toString()
  return async (drawn) => {
    const text = code.read('identity').toString('base64')
    loaded ??= import(`data:text/javascript;base64,${text}`) as Promise<RendererModule>
    const { renderPage } = await loaded
    return await renderPage({ ...drawn, template })
  }
}
