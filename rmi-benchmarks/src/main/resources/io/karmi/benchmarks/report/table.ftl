<#assign line><#list 1..143 as i>-</#list></#assign>
${section.headline}

<#if !brief>
${"kernel"?right_pad(28)} ${"stack"?right_pad(13)} ${"us"?left_pad(10)} ${"+-%"?left_pad(5)} ${"p99 us"?left_pad(10)} ${"+-%"?left_pad(5)} ${"p99.9 us"?left_pad(10)} ${"saved"?left_pad(8)} ${"x floor"?left_pad(8)} ${"allocated B"?left_pad(12)} ${"cpu us"?left_pad(9)} ${"wire B"?left_pad(10)}
<#list section.rows as row>
<#if row.isFirst()>
${line}
</#if>
${row.isFirst()?then(row.kernel(), "")?right_pad(28)} ${row.stack()?right_pad(13)} ${row.micros()?left_pad(10)} ${row.spread()?left_pad(5)} ${row.p99()?left_pad(10)} ${row.p99Spread()?left_pad(5)} ${row.p999()?left_pad(10)} ${row.saved()?left_pad(8)} ${row.timesFloor()?left_pad(8)} ${row.allocated()?left_pad(12)} ${row.cpu()?left_pad(9)} ${row.wire()?left_pad(10)}
</#list>
${line}
</#if>
<#list section.savings as saving>
${saving.title()}, ${saving.network()}: saves ${saving.range()} in the middle half of ${saving.of()} kernel<#if saving.of() != 1>s</#if><#if !section.ofSerialization>, ${saving.p99Range()} at the 99th percentile</#if>; faster on ${saving.faster()}
</#list>
<#if brief>
in calm rounds: the calmest eighth of all
<#else>
per call (paraffins, sor: per run), in a calm round: the calmest eighth of all; +-%: half of the distance between the quartiles of the rounds;
allocated, cpu: client and servers; wire: both directions; x floor: against a raw socket that carries as many bytes as KaRMI
</#if>
<#if section.apart?size gt 0>
not all stacks at the same time, but groups of them in turn, each at least twice: ${section.apart?join(", ")}
</#if>
${section.conditions.machine()}, ${section.conditions.processors()} processors<#if section.conditions.processorsAwake()>, kept awake<#else>, which may sleep</#if>; ${section.conditions.jdk()}; commit ${section.conditions.commit()}
