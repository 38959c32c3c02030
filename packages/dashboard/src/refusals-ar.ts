/**
 * Refusals of the server in Arabic: by code or, where the API defines none, by request and status.
 */
import { LIMITS } from '@contentflow/core/limits.ts'
import type { ManagementErrorCode } from '@contentflow/server/wire.ts'
import type { ApiError } from './api.ts'

export function inArabic({ status, code, asked, message }: Pick<ApiError, 'status' | 'code' | 'asked' | 'message'>): string {
  const known = BY_CODE.get(code ?? '') ?? BY_CALL.find(([each, pattern]) => each === status && pattern.test(asked))?.[2]
  // The server's own words are English: they keep their direction.
  return known ?? (status >= 500 ? OF_SERVER : BY_STATUS.get(status)) ?? `${NOT_TAKEN} \u2068${message}\u2069`
}

const AGAIN_LATER = 'تلزم إعادة المحاولة بعد قليل.'
const OF_SERVER = 'حدث خطأ في الخادم. تلزم إعادة المحاولة بعد قليل.'
const NOT_TAKEN = 'لم يقبل الخادم هذا الطلب:'

const CODES: Record<ManagementErrorCode, string> = {
  EXPERIMENT_CONTENT_CHANGED: 'صارت للمحتوى نسخ أو أوزان غير التي قورنت. يمكن الحسم بلا تطبيق، أو تعديل المحتوى.',
  EXPERIMENT_STARTED: 'حُسبت أجهزة بالفعل، لذلك يبقى المقياس والحدود والخطة كما هي. يمكن بدء جولة جديدة من الصفر.',
  TRACKERS_EXCEEDED: `تتسع القواعد لعدد ${LIMITS.eventTrackers} من أنواع الأحداث، منها ${LIMITS.eventTrackersOfType} من نوع واحد. يمكن توحيد شروط القواعد أو حذف شرائح لا يستخدمها أحد.`,
  STRINGS_SYNC_FAILED: 'تعذرت قراءة الصفوف.',
  STRINGS_DISABLE_FAILED: 'تعذر تعطيل التتبّع الآن. تلزم إعادة إرسال المفاتيح.',
  LINK_SCHEME_NOT_ALLOWED: 'في الرابط مخطط لا تقبله مساحة العمل. يضيف أحد المديرين مخططات تطبيقاتك في الإعدادات، ضمن الحماية.',
  VALIDATION_ERROR: 'محتوى الطلب غير صالح.',
  UNKNOWN_STRING: 'لا يوجد نص بهذا المفتاح.',
  IMPORT_ALREADY_PENDING: 'هناك استيراد سابق قيد الانتظار. يلزم أولًا تطبيقه أو إلغاؤه.',
  PLACEHOLDER_MISMATCH: 'متغيّرات الترجمة تخالف متغيّرات النص الأصلي.',
  SUBJECT_REQUEST_OVER: 'اكتمل هذا الطلب أو رُفض. يلزم تسجيل طلب آخر.',
  EXTENSION_NOT_ALLOWED: 'لا يمكن تمديد مهلة هذا الطلب: لا يسمح نظامه بذلك، أو مُدّدت من قبل، أو انقضت.',
  SELF_APPROVAL_NOT_ALLOWED: 'الطلب منك، فيلزم اعتماد عضو آخر.',
  ADDRESS_NOT_PROVED: 'طلب المراجعة واعتمادها لأعضاء ثبت بريدهم وحدهم. يثبت البريد بالانضمام برابط الدعوة.',
  INVITER_APPROVAL_NOT_ALLOWED: 'دعا أحدكما الآخر قبل الطلب بأقل من يوم، فيلزم اعتماد عضو آخر.',
  UPGRADE_REQUIRED: 'خطة مساحة العمل لا تتسع لهذا العدد من الأشخاص، فلم يُحفظ شيء.',
  ROLE_REQUIRED: 'دورك في مساحة العمل لا يسمح بذلك. يُرجى مراجعة أحد المديرين.',
  WORKSPACE_SUSPENDED: 'مساحة العمل موقوفة: يمكن الاطلاع على بياناتها ومحو بيانات الأشخاص فقط. يُرجى مراجعة مشغّل الخادم.',
  IDENTITY_KEY_REQUIRED: 'لا يمكن اشتراط رموز المستخدمين بلا مفتاح توقَّع به. يلزم إضافة مفتاح أولًا.',
  IDENTITY_KEY_LIMIT: 'بلغت البيئة الحد الأقصى لمفاتيح رموز المستخدمين. يلزم حذف أحدها أولًا.',
  KEYS_IN_USE: 'اشتركت متصفحات بمفاتيح هذه القناة، وتغييرها يفقدها إلى أن تُفتح صفحتها من جديد. يلزم تأكيد ذلك.',
  IDENTITY_CHECK_NEEDED: 'كان هذا سيرفض طلبات وردت في آخر 24 ساعة. للمتابعة رغم ذلك يلزم تأكيد عددها.',
  LIVE_PUBLISHABLE_KEY_REQUIRED: 'يلزم مفتاح تطبيق للبيئة الفعلية قبل تعطيل المفاتيح المشتقة.',
  CHANNEL_TEST_RATE_LIMITED: 'أُرسلت رسائل تجريبية كثيرة. يلزم الانتظار بضع دقائق.',
  LOGIN_RATE_LIMITED: 'محاولات دخول فاشلة كثيرة. يلزم الانتظار بضع دقائق.',
  SIGNUP_RATE_LIMITED: 'طُلبت حسابات كثيرة من هذا العنوان أو لهذا البريد. يلزم الانتظار بضع دقائق.',
  INVITATION_OVER: 'هذه الدعوة استُخدمت أو سُحبت أو انتهت مدتها. تلزم دعوة جديدة.',
  SIGN_IN_BUSY: `كثيرون يسجلون الدخول الآن. ${AGAIN_LATER}`,
  PASSWORD_WRONG: 'كلمة المرور الحالية غير صحيحة.',
  PASSWORD_CHANGED: 'تغيرت كلمة المرور في هذه الأثناء.',
  PASSWORD_WEAK: 'كلمة المرور هذه سهلة التخمين: هي من الأكثر استخدامًا أو بريدك نفسه أو فراغات. تلزم كلمة أخرى.',
  PASSWORD_CHANGE_REQUIRED: 'كلمة المرور هذه معروفة لغيرك أو سهلة التخمين. تلزم كلمة جديدة.',
  LINK_OVER: 'هذا الرابط استُخدم أو مضت عليه 30 دقيقة. يلزم رابط جديد.',
  LINKS_RATE_LIMITED: 'طُلبت روابط كثيرة. يلزم الانتظار بضع دقائق.',
  ACCOUNT_SHARED: 'هذا الحساب ليس لمساحة العمل هذه وحدها. لا يُنشئ له رابطًا إلا صاحبه أو مشغّل الخادم.',
  MAIL_OFF: 'لا يرسل هذا الخادم بريدًا. يلزم أن يضبط المشغّل خادم البريد.',
  LAST_ADMIN: 'ستبقى مساحة عمل بلا مدير. يلزم أولًا تعيين مدير آخر.',
  SETUP_TOKEN_REQUIRED: 'يتطلب الحساب الأول رمز الإعداد الذي طبعه الخادم عند تشغيله.',
  WORKSPACES_BY_OPERATOR: 'لا يُنشئ مساحات العمل هنا إلا مشغّل الخادم.',
  WORKSPACE_LIMIT: 'بلغ حسابك الحد الأقصى لمساحات العمل.',
  WORKSPACES_RATE_LIMITED: 'أُنشئت مساحات عمل كثيرة. يلزم الانتظار بضع دقائق.',
  TIME_ZONE_UNKNOWN: 'لا توجد منطقة زمنية بهذا الاسم.',
  SANDBOX_NESTED: 'لا بيئة تجريبية لبيئة تجريبية.',
  VERSION_CHANGED: 'تغيّر هذا بواسطة عضو آخر. يلزم أولًا تحميل الإصدار الجديد.',
  REVIEW_REQUIRED: 'لا تصبح الحملة كذلك إلا بمراجعة: يلزم إرسالها للمراجعة، ثم اعتماد عضو آخر.',
  INVALID_STATUS_TRANSITION: 'لا تنتقل الحملة من حالتها الآن إلى هذه الحالة.',
  CAMPAIGN_SUBMIT_REVIEW_FAILED: 'لا تُرسل للمراجعة إلا مسودة أو حملة مرفوضة.',
  CAMPAIGN_APPROVE_FAILED: 'لا يُعتمد إلا ما أُرسل للمراجعة.',
  CAMPAIGN_REJECT_FAILED: 'لا يُرفض إلا ما أُرسل للمراجعة، ومع ذكر السبب.',
  CAMPAIGN_RECALL_FAILED: 'لا يُسحب إلا ما أُرسل للمراجعة.',
  CAMPAIGN_NOT_EDITABLE: 'لا تتغير حملة قيد المراجعة أو منتهية. يلزم أولًا سحبها أو إعادتها مسودة.',
  CAMPAIGN_NOT_ACTIVE: 'لا تخرج الرسائل إلا والحملة نشطة. استأنفها أولًا.',
  CAMPAIGN_NOT_DRAFT: 'لا تُحذف إلا المسودات. يلزم أولًا إنهاء الحملة أو إعادتها مسودة.',
  CAMPAIGN_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.campaignsPerWorkspace} من الحملات على الأكثر.`,
  JOURNEY_ACTIVE: 'لا تُعدّل رحلة نشطة ولا تُحذف. يلزم أولًا إيقافها مؤقتًا.',
  JOURNEY_INCOMPLETE: 'هذه الرحلة غير مكتملة. يلزم أولًا إكمال الناقص فيها.',
  JOURNEY_NOT_ACTIVE: 'الرحلة غير نشطة. يلزم أولًا تفعيلها.',
  JOURNEY_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.journeysPerWorkspace} من الرحلات على الأكثر.`,
  LAUNCH_ADMIN_REQUIRED: 'بدء الحملات في مساحة العمل هذه للمديرين وحدهم.',
  LAUNCH_OTP_REQUIRED: 'يتطلب بدء الحملة رمزًا صحيحًا لمرة واحدة يُرسل إلى بريدك.',
  LAUNCH_OTP_RATE_LIMITED: 'طُلبت رموز كثيرة. يلزم الانتظار بضع دقائق.',
  WEB_ADDRESS_NEEDED:
    'رابط أو صورة يبدأ عنوانها بـ /، ولا يؤدي ذلك إلى مكان في البريد والرسائل النصية وواتساب. يلزم أن يحدد مدير عنوان الويب في الإعدادات، أو كتابة الرابط كاملًا.',
  PUSH_TOO_LARGE: 'لن يصل هذا الإشعار إلى أحد: المسموح عند المزوّدين 4,096 بايت. يلزم اختصار النص.',
  MAIL_NOT_READY: 'لا يمكن إرسال البريد المصمم كما هو. تفاصيل ما يلزم تصحيحه في نتيجة الفحص.',
  PUBLIC_URL_NEEDED: 'لا يمكن إلغاء الاشتراك في بريد الحملات والرحلات. يلزم أولًا أن يحدد مشغّل الخادم \u2066CF_PUBLIC_URL\u2069.',
  LAUNCH_OTP_UNAVAILABLE: 'تعذر إرسال الرمز بالبريد. تلزم قناة بريد تعمل.',
  REVIEW_OVER: 'بُتّ في هذا الطلب أو سُحب في هذه الأثناء.',
  APPROVAL_NEEDED: 'ما يصل إلى التطبيقات هنا يتطلب اعتماد شخص آخر، فيلزم عضو له صلاحية الاعتماد.',
  NO_ROOM_FOR_ORDER: 'لا تتسع الأولويات لهذا الترتيب. يلزم أولًا تغيير أولوية أحد العناصر.',
  ANALYSIS_BUSY: 'يجري الجواب عن أسئلة أخرى؛ اسأل مجددًا بعد لحظات.',
  ANALYSIS_TOO_LARGE: 'السؤال عن أحداث كثيرة جدًا؛ اسأل عن فترة أقصر أو أنواع أقل.',
  REPORT_LIMIT: `في مساحة العمل ${LIMITS.reports} تقرير على الأكثر.`,
  REPORT_NAME_TAKEN: 'يوجد تقرير آخر بهذا الاسم.',
  REPORT_PINS: `في الرئيسية ${LIMITS.pinnedReports} تقارير على الأكثر؛ أزل واحدًا أولًا.`,
  IN_USE: 'تستعمل التقارير هذه الخاصية؛ غيّرها أو احذفها أولًا.',
  EVENT_TYPE_LIMIT: `يُعلن في مساحة العمل عن ${LIMITS.eventTypes} من أنواع الأحداث على الأكثر.`,
  SEGMENT_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.segmentsPerWorkspace} من الشرائح على الأكثر.`,
  SEGMENT_CIRCLE: 'لا يمكن أن تستثني الشرائح بعضها بعضًا في دائرة.',
  GEOFENCE_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.geofencesPerWorkspace} من النطاقات الجغرافية على الأكثر.`,
  WEBHOOK_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.webhooksPerWorkspace} من نقاط الاستقبال على الأكثر.`,
  WEBHOOK_IN_USE: 'تستخدم رحلاتٌ نقطة الاستقبال هذه؛ يلزم حذف الخطوة منها أولًا.',
  WEBHOOK_OFF: 'نقطة الاستقبال هذه معطّلة؛ يلزم تفعيلها أولًا.',
  CHANNEL_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.channelsPerWorkspace} من القنوات على الأكثر.`,
  LOCALE_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.localesPerWorkspace} من اللغات على الأكثر.`,
  SOURCE_LANGUAGE: 'هذه اللغة الأصلية. يُغيَّر النص الأصلي نفسه.',
  STRING_EXISTS: 'يوجد نص بهذا المفتاح.',
  STRING_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.stringsPerWorkspace} من النصوص على الأكثر.`,
  SENSOR_NOT_ASKED: 'لا طلب تتبّع لهذا النص.',
  ANSWER_TOO_LONG:
    'سيُحرم كل تطبيق من محتواه بعد هذا التغيير: ما يصل إلى الجميع يزيد على 16,000,000 حرف مع ما تكرره المجموعات. اختصره، أو أخرج عناصر من المجموعات أو أوقف نشرها أولًا',
  WORKSPACE_FULL: 'لا تتسع مساحة العمل لمزيد من المحتوى والنصوص والحملات والرحلات. احذف ما لا يلزم، أو اطلب سعة أكبر ممن يدير الخادم.',
  LIBRARY_FULL: 'لا تتسع مكتبة الوسائط لهذا الملف. احذف ملفات لا تلزم، أو اطلب سعة أكبر ممن يدير الخادم.',
  WORKSPACE_CHANGED: 'تغيّرت مساحة العمل منذ إعداد هذه الخطة؛ أعدّ خطة أخرى وراجعها.',
  FILE_IN_USE: 'هذا الملف مستخدم في المحتوى أو في حملة.',
  ERASURE_REQUEST_OVER: 'بُتّ في طلب المحو هذا أو انتهت مدته.',
  IMPORT_OVER: 'انتهى هذا الاستيراد. يلزم رفع الملف من جديد.',
}
/** Refusals by rate limits, which come before any route. */
const BY_CODE = new Map<string, string>([
  ...Object.entries(CODES),
  ['SDK_RATE_LIMIT_EXCEEDED', `طلبات كثيرة في مساحة العمل هذه. ${AGAIN_LATER}`],
  ['IP_RATE_LIMITED', `طلبات كثيرة من هذا العنوان. ${AGAIN_LATER}`],
  ['UPSTREAM_UNAVAILABLE', `الخادم مشغول الآن. ${AGAIN_LATER}`],
  ['TEST_ENV_RETIRED', 'بيئة الاختبار في مساحة العمل هذه متوقفة.'],
])

const BY_CALL: [status: number, asked: RegExp, text: string][] = [
  [403, /^POST \/auth\/signup$/, 'إنشاء الحسابات مغلق على خادم ContentFlow هذا. يمكن لأحد المديرين إضافتك.'],
  [409, /^POST \/auth\/signup$/, 'يوجد حساب بهذا البريد.'],
  [409, /^POST \/members$/, 'هذا الشخص عضو في مساحة العمل.'],
  [409, /^(PUT|DELETE) \/members\//, 'لا بد من مدير واحد على الأقل لمساحة العمل.'],
  [409, /^POST \/settings\/sandbox$/, 'لمساحة العمل هذه بيئة تجريبية.'],
  [409, /^POST \/blocks$/, 'يوجد نوع بهذا المفتاح.'],
  [409, /^(POST|PUT) \/blocks\/[^/]+\/instances/, 'يوجد عنصر بهذا المعرّف الخارجي.'],
  [400, /^POST \/blocks\/[^/]+\/instances\/[^/]+\/publish$/, 'لا يمكن نشر هذا العنصر: ينقصه محتوى مطلوب.'],
  [409, /^POST \/strings\/.*\/approve$/, 'لا ترجمة لاعتمادها. يلزم إدخال نصها.'],
  [409, /^POST \/locales$/, 'هذه اللغة موجودة في مساحة العمل.'],
  [409, /^DELETE \/locales\//, 'لا يمكن حذف اللغة الأصلية.'],
  [409, /^(POST|PUT) \/segments/, 'توجد شريحة بهذا الاسم.'],
  [409, /^(POST \/enrichment\/imports|PUT \/enrichment\/sources\/[^/]+)$/, 'يوجد مصدر بهذا الاسم.'],
  [409, /^(POST|DELETE) \/enrichment\/imports\//, 'تغيّرت حالة هذا الاستيراد في هذه الأثناء.'],
  [409, /^DELETE \/enrichment\/uploads\//, 'تم التراجع عن هذا الاستيراد من قبل، أو ما زالت قيمه تُكتب.'],
  [409, /^DELETE \/segments\//, 'هذه الشريحة مستخدمة.'],
  [400, /^POST \/content\/generate-upload-url$/, 'هذا النوع من الملفات غير مقبول.'],
  [400, /^POST \/content\/finalize-upload$/, 'لا يمكن قبول هذا الملف: محتواه ليس من نوعه، أو صورته أكبر من المسموح.'],
  // The form checks everything else, so the refusal is about the address.
  [400, /^(POST|PUT) \/notifications\/channels(\/[^/]+)?$/, 'لا يمكن لهذا الخادم استدعاء العنوان المُدخل: يلزم عنوان عام على الإنترنت.'],
  [400, /^(POST|PUT) \/webhooks(\/[^/]+)?$/, 'لا يمكن لهذا الخادم استدعاء هذا العنوان: يلزم عنوان عام على الإنترنت.'],
  [401, /^POST \/auth\//, 'البريد أو كلمة المرور غير صحيحة.'],
]

const BY_STATUS = new Map([
  [401, 'انتهت جلستك. يلزم تسجيل الدخول من جديد.'],
  [403, 'دورك في مساحة العمل لا يسمح بذلك. يُرجى مراجعة أحد المديرين.'],
  [404, 'لم يعد هذا موجودًا. ربما حُذف.'],
  [413, 'الملف أو المحتوى أكبر من المسموح.'],
  [415, 'هذا النوع من الملفات غير مقبول.'],
  [429, `طلبات كثيرة. ${AGAIN_LATER}`],
])
