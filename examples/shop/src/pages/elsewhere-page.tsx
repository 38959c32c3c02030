import { useText } from '../use-text.ts'

/** Links of the demo content that lead to made-up places, shown in place of a page that does not load. */
export function ElsewherePage({ href }: { href: string }) {
  const { own } = useText()
  return (
    <div className="state">
      <h1>{own('elsewhereTitle')}</h1>
      <p>{own('elsewhereBody')}</p>
      <p>
        <bdi className="address">{href}</bdi>
      </p>
      <a className="button" href="#/">
        {own('back')}
      </a>
    </div>
  )
}
