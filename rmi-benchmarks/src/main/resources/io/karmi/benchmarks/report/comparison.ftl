<#if !comparison.sameMachine()>
The two files are from different machines: the ratios compare these, too.
</#if>
${"kernel"?right_pad(28)} ${"stack"?right_pad(13)} ${"earlier us"?left_pad(11)} ${"later us"?left_pad(11)} ${"ratio"?left_pad(7)} ${"95 % confidence"?left_pad(17)}
<#list comparison.lines() as line>
${line.kernel()?right_pad(28)} ${line.stack()?right_pad(13)} ${line.earlier()?left_pad(11)} ${line.later()?left_pad(11)} ${line.ratio()?left_pad(7)} ${(line.low() + " to " + line.high())?left_pad(17)} ${line.verdict()}
</#list>

<#list comparison.summaries() as summary>
${summary.stack()?right_pad(13)} geometric mean of later / earlier over ${summary.kernels()} kernels: ${summary.geometricMean()}; certainly slower ${summary.slower()}, certainly faster ${summary.faster()}
</#list>
