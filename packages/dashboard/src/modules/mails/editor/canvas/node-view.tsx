import { Fragment, type CSSProperties, type ReactNode } from 'react'
import { TEXT_OF, type Alignment, type MailNode, type NodeText, type RichText, type TextRun } from '@contentflow/core/mail/document.ts'
import { logoText, networkWords } from '@contentflow/core/mail/brand/brand-text.ts'
import { useFormat } from '../../../../format.ts'
import { textOf } from '../document/change-texts.ts'
import { useEditing } from '../editing-context.ts'
import { isWritten, wordsOf } from '../kinds.tsx'
import { RichEditor } from '../rich/rich-editor.tsx'
import { useTexts } from '../texts.ts'
import classes from '../editor.module.css'

/** Pixels, as in the mail. */
const HEADINGS = { 1: 28, 2: 22, 3: 18 } as const

/** `ink`: the colour of words; `link`: of links. */
type Look = { ink: string; link: string }

/** A node about as the mail shows it; where it says nothing yet, what it is for. */
export function NodeView({ node, look }: { node: MailNode; look: Look }) {
  const { document, locale, source, writing, theme } = useEditing()
  const own = textOf(document, locale, node.id)
  const text = own ?? (source === undefined ? undefined : textOf(document, source, node.id))
  const align: Alignment = ('align' in node ? node.align : undefined) ?? 'start'
  if (node.type === 'divider') return <hr className={classes.divider} style={{ borderColor: theme.light.muted }} />
  if (node.type === 'spacer') return <div className={classes.spacer} style={{ blockSize: node.height }} />
  const style: CSSProperties = { textAlign: align, color: look.ink }
  if (node.type === 'logo' || node.type === 'social')
    return (
      <div style={style}>
        <BrandView type={node.type} link={look.link} />
      </div>
    )
  if (writing?.id === node.id && isWritten(node))
    return (
      <div style={{ ...style, ...headingStyle(node) }} className={classes.words}>
        <RichEditor key={`${node.id} ${locale}`} node={node} align={align} link={look.link} />
      </div>
    )
  const isFaint = own === undefined && text !== undefined
  return (
    <div style={style} data-faint={isFaint || undefined}>
      {isFaint && <NotShown />}
      <Shown node={node} text={text} look={look} />
    </div>
  )
}

/** What the brand says there; where it says nothing, what would stand there. */
function BrandView({ type, link }: { type: 'logo' | 'social'; link: string }) {
  const t = useTexts()
  const { brand, locale } = useEditing()
  if (type === 'logo') {
    const words = logoText({ brand, locale })
    if (brand?.logo)
      return <img src={brand.logo.src} alt={words} style={{ inlineSize: brand.logo.width }} className={classes.image} draggable={false} />
    return words === '' ? <span className={classes.placeholder}>{t('emptyLogo')}</span> : <strong style={{ fontSize: 18 }}>{words}</strong>
  }
  const social = brand?.social ?? []
  if (social.length === 0) return <span className={classes.placeholder}>{t('emptySocial')}</span>
  return (
    <span style={{ color: link, fontSize: 14, textDecoration: 'underline' }}>
      {social.map(({ network }) => networkWords(network, locale)).join(' · ')}
    </span>
  )
}

/** The words of the source language stand where this one has none. */
function NotShown() {
  const t = useTexts()
  const format = useFormat()
  const { locale } = useEditing()
  return (
    <span className={classes.notShown} dir="auto">
      {t('notIn', { language: format.language(locale) })}
    </span>
  )
}

function Shown({ node, text, look }: { node: MailNode; text: NodeText | undefined; look: Look }) {
  const t = useTexts()
  const { theme } = useEditing()
  if (node.type === 'button') {
    const { label, url } = text && 'label' in text ? text : { label: '', url: '' }
    const { primary, onPrimary } = theme.light
    return (
      <span
        className={classes.button}
        title={url}
        style={{
          background: primary,
          color: onPrimary,
          borderRadius: theme.radius,
          ...(node.isWide && { display: 'block', textAlign: 'center' }),
        }}
      >
        {label || t('empty_button')}
      </span>
    )
  }
  if (node.type === 'image') {
    const { src, alt } = text && 'src' in text ? text : { src: '', alt: '' }
    const width = `${node.width ?? 100}%`
    if (src === '' || src.includes('{{'))
      return (
        <span className={classes.noImage} style={{ inlineSize: width }}>
          {alt || src || t('empty_image')}
        </span>
      )
    return <img src={src} alt={alt} style={{ inlineSize: width }} className={classes.image} draggable={false} />
  }
  if (node.type === 'html') return <span className={classes.placeholder}>{wordsOf(text) || t('empty_html')}</span>
  if (TEXT_OF[node.type] !== 'rich') return <span className={classes.placeholder}>{t('unknownType')}</span>
  return (
    <div className={classes.words} style={headingStyle(node)}>
      {text && 'blocks' in text && text.blocks.length > 0 ? (
        <Blocks text={text} link={look.link} />
      ) : (
        <p className={classes.placeholder}>{t(node.type === 'heading' ? 'empty_heading' : 'empty_text')}</p>
      )}
    </div>
  )
}

function headingStyle(node: MailNode): CSSProperties {
  return node.type === 'heading' ? { fontSize: HEADINGS[node.level], lineHeight: 1.35, fontWeight: 700 } : {}
}

function Blocks({ text: { blocks }, link }: { text: RichText; link: string }) {
  return blocks.map((block, at) => {
    if ('p' in block) return <p key={at}>{block.p.length === 0 ? <br /> : <Runs runs={block.p} link={link} />}</p>
    const List = 'ul' in block ? 'ul' : 'ol'
    const items = 'ul' in block ? block.ul : block.ol
    return (
      <List key={at}>
        {items.map((runs, item) => (
          <li key={item}>
            <Runs runs={runs} link={link} />
          </li>
        ))}
      </List>
    )
  })
}

function Runs({ runs, link }: { runs: readonly TextRun[]; link: string }) {
  return runs.map((run, at) => <Fragment key={at}>{runNode(run, link)}</Fragment>)
}

function runNode(run: TextRun, link: string): ReactNode {
  let shown: ReactNode = run.v.split(/\r\n|\r|\n/).map((line, at) => (
    <Fragment key={at}>
      {at > 0 && <br />}
      {line}
    </Fragment>
  ))
  if (run.s) shown = <s>{shown}</s>
  if (run.u) shown = <u>{shown}</u>
  if (run.i) shown = <em>{shown}</em>
  if (run.b) shown = <strong>{shown}</strong>
  if (run.color !== undefined) shown = <span style={{ color: run.color }}>{shown}</span>
  // No link: nothing is opened while it is edited, and the block around it is what takes the focus.
  return run.url === undefined || run.url === '' ? (
    shown
  ) : (
    <span style={{ color: run.color ?? link, textDecoration: 'underline' }} title={run.url}>
      {shown}
    </span>
  )
}
