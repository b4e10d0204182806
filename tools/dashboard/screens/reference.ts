import type { ScreenTest } from '../screen-test.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'reference',
    address: () => '/docs/api',
    shows: 'Answers',
    paths: {
      'an operation is found by its words and read, without a login': async (
        { page },
        { session },
      ) => {
        await page.goto(`${session.service.url}/docs/api`)
        await page.getByRole('searchbox').fill('rotate key')
        await page
          .getByRole('button', { name: 'Rotate a secret' })
          .or(page.getByTitle(/keys\/\{kind\}\/rotate/))
          .first()
          .click()
        await page.getByText('grace_seconds').first().waitFor()
        await page.reload()
        await page.getByText('grace_seconds').first().waitFor()
      },
    },
  },
]
