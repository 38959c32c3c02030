/** News and invitations. */
import { band, beside, bullets, button, centered, divider, heading, line, primary, soft, text, type Template } from './build.ts'

export const NEWS: readonly Template[] = [
  {
    id: 'newsletter',
    category: 'news',
    names: { en: 'Newsletter', ar: 'نشرة إخبارية' },
    subject: ['What is new this month', 'جديدنا هذا الشهر'],
    preheader: ['Three stories, five minutes', 'ثلاثة أخبار في خمس دقائق'],
    bands: [
      band(
        heading(1, ['What is new this month', 'جديدنا هذا الشهر']),
        text([
          'Hello {{name | there}}, a lot happened since our last letter. Here is what we think is worth your five minutes.',
          'مرحبًا {{name | بك}}، حدث الكثير منذ رسالتنا الأخيرة، وهذا ما نظن أنه يستحق خمس دقائق من وقتك.',
        ]),
      ),
      soft(
        heading(2, ['The big story', 'الخبر الأهم']),
        text([
          'Begin with what matters to readers rather than to you. Two or three sentences are enough; the rest stands behind the button.',
          'ابدأ بما يهم القراء لا بما يهمك. جملتان أو ثلاث تكفي، والبقية خلف الزر.',
        ]),
        button(['Read on', 'تابع القراءة'], '/news/1'),
      ),
      beside(
        [
          heading(3, ['Behind the scenes', 'من وراء الكواليس']),
          text(['A person, a place or a habit that customers do not know yet.', 'شخص أو مكان أو عادة لا يعرفها العملاء بعد.']),
          button(['Have a look', 'ألقِ نظرة'], '/news/2'),
        ],
        [
          heading(3, ['A question from you', 'سؤال منكم']),
          text(['One question that many people asked, and the honest answer.', 'سؤال تكرر كثيرًا وإجابته الصريحة.']),
          button(['The answer', 'الإجابة'], '/news/3'),
        ],
      ),
      band(divider, text(['See you next month.', 'نلقاك الشهر القادم.'])),
    ],
  },
  {
    id: 'event-invitation',
    category: 'news',
    names: { en: 'Event invitation', ar: 'دعوة إلى فعالية' },
    subject: ['You are invited', 'أنت مدعو'],
    preheader: ['An evening with us; places are limited', 'أمسية معنا والمقاعد محدودة'],
    bands: [
      primary(
        heading(1, ['We would like to see you', 'يسعدنا حضورك'], 'center'),
        centered(['Dear {{name | guest}}, you are invited to our open evening.', 'عزيزنا {{name | الضيف}}، ندعوك إلى أمسيتنا المفتوحة.']),
      ),
      line(text(['**When**', '**الموعد**']), text(['Thursday, 7 in the evening', 'الخميس، السابعة مساءً'])),
      line(text(['**Where**', '**المكان**']), text(['Our shop in the city', 'فرعنا في وسط المدينة'])),
      line(text(['**How long**', '**المدة**']), text(['About two hours', 'نحو ساعتين'])),
      band(
        divider,
        bullets(
          ['See what comes next season before anybody else', 'شاهد جديد الموسم القادم قبل غيرك'],
          ['Talk to the people who make it', 'تحدث إلى من يصنعونه'],
          ['Coffee, dates and something small to take home', 'قهوة وتمر وهدية صغيرة تأخذها معك'],
        ),
        button(['Yes, I am coming', 'نعم، سأحضر'], '/events/join', 'center'),
        centered(['There is room for sixty guests. Bring somebody if you like.', 'المكان يتسع لستين ضيفًا، ويمكنك اصطحاب من تحب.']),
      ),
    ],
  },
  {
    id: 'event-reminder',
    category: 'news',
    names: { en: 'Event reminder', ar: 'تذكير بفعالية' },
    subject: ['Tomorrow at seven: see you there', 'غدًا في السابعة، نراك هناك'],
    preheader: ['How to get there, and what to bring', 'كيف تصل إلينا وما يحسن إحضاره'],
    bands: [
      band(
        heading(1, ['See you tomorrow', 'موعدنا غدًا']),
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'You have a place at our open evening, and we look forward to you. Here is all that you need:',
            'مقعدك محجوز في أمسيتنا المفتوحة ونحن بانتظارك. وهذا كل ما تحتاج إليه:',
          ],
        ),
      ),
      line(text(['**Doors open**', '**فتح الأبواب**']), text(['Half past six', 'السادسة والنصف'])),
      line(text(['**Beginning**', '**البداية**']), text(['Seven', 'السابعة'])),
      line(text(['**Parking**', '**المواقف**']), text(['Free, behind the house', 'مجانية خلف المبنى'])),
      band(button(['Show me the way', 'الطريق إلينا'], '/events/map')),
      soft(
        text([
          'You cannot come after all? Tell us on the page of the event, so that somebody else gets your place.',
          'لن تتمكن من الحضور؟ أخبرنا من صفحة الفعالية ليحصل غيرك على مقعدك.',
        ]),
      ),
    ],
  },
]
