/** What is written for Kotlin, before its compiler: 1.3, which Debian has, so newer ones take it too. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFolder } from './cli.ts'

const GOLDEN = fileURLToPath(new URL('golden/content.kt', import.meta.url))
const MISSING = 'kotlinc is missing: apt-get install -y kotlin'

const APP = `
import com.example.content.*

fun title(values: Map<String, Any?>): String? {
    val hero = Blocks.Hero(values)
    val isBig = when (hero.size) {
        Blocks.Hero.SizeChoice.ExtraBig -> true
        else -> hero.class_ ?: false
    }
    val prices: List<Double?> = hero.items.map { item ->
        when (item) {
            is Blocks.Hero.ItemsItem.Hero -> item.block.السعر
            is Blocks.Hero.ItemsItem.Product -> item.block.price
        }
    }
    val texts: List<LocalizedText> = listOf(Texts.cartItems, Texts.cartItems2(count = 3, name = "Sara"), Texts.سلةعنوان)
    val tracked: List<TrackedEvent> = listOf(
        Events.orderCompleted2(total = 120, items = 2L, state = Events.OrderCompletedStateChoice.Paid, cart = mapOf("a" to 1)),
        Events.orderCompleted(),
        Events.class_(class_ = "x", it_ = "y"),
        Events.سلة(السعر = 1.5),
        Events.n1st(n2nd = true)
    )
    return if (tracked.isEmpty()) null else if (isBig && prices.isEmpty() && texts.isEmpty()) null else hero.titleMain
}
`

test('an app in Kotlin compiles with the types of its workspace, without a warning', (t) => {
  const folder = openFolder()
  folder.write('App.kt', APP)
  const args = [GOLDEN, 'App.kt', '-Werror', '-d', 'out']
  const { error, status, stdout, stderr } = spawnSync('kotlinc', args, { cwd: folder.path, encoding: 'utf8' })
  if (error && !process.env['CI']) return t.skip(MISSING)
  assert.ok(!error, MISSING)
  assert.equal(status, 0, stdout + stderr)
})

test('the client of docs/app/android.md compiles as it stands, without a warning', (t) => {
  const page = readFileSync(new URL('../../../docs/app/android.md', import.meta.url), 'utf8')
  const folder = openFolder()
  const files = [...page.matchAll(/^```kotlin\n\/\/ (\w+\.kt)\n([^]*?)^```$/gm)].map(([, name = '', code = '']) => {
    folder.write(name, code)
    return name
  })
  assert.deepEqual(files, ['ContentFlow.kt', 'Home.kt'])
  const standIns = fileURLToPath(new URL('android', import.meta.url))
  const { error, status, stdout, stderr } = spawnSync('kotlinc', [standIns, ...files, '-Werror', '-d', 'out'], {
    cwd: folder.path,
    encoding: 'utf8',
  })
  if (error && !process.env['CI']) return t.skip(MISSING)
  assert.ok(!error, MISSING)
  assert.equal(status, 0, stdout + stderr)
})
