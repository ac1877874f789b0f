The same unmodified programs in JVMs of their own on one machine: the median of the share of stock RMI's time that is saved, in brackets over how
many kernels and payloads. Measured were ${measured} kernels and payloads of ${collection?c} in the collection. A kernel counts with the calmest eighth of its rounds ([shared memory has two speeds](docs/measurements/spinning.md)). The paper's medians are from two machines, over Ethernet (45 %) and over a fast network (85 %).

| time saved |<#list sections as section> ${section.conditions.jdk()?keep_before(" (")} |</#list> the paper |
|---|<#list sections as section>---|</#list>---|
<#list savings as line>
| ${line.title()} |<#list line.cells() as cell> ${cell} |</#list> ${line.paper()} |
</#list>

<#list pictures as picture>
<picture><source media="(prefers-color-scheme: dark)" srcset="${folder}/${picture}-dark.svg"><img alt="${picture?replace("-", " ")} of the report" src="${folder}/${picture}.svg"></picture>

</#list>
| a call |<#list sections as section> ${section.conditions.jdk()?keep_before(" (")} |</#list>
|---|<#list sections as section>---|</#list>
<#list details as line>
| ${line.title()} |<#list line.cells() as cell> ${cell} |</#list>
</#list>

${sections[0].conditions.machine()}, ${sections[0].conditions.processors()} processors<#if sections[0].conditions.processorsAwake()>, kept awake<#else>, which may sleep</#if>; commit ${sections[0].conditions.commit()},
${sections[0].conditions.date()?keep_before("T")}. `scripts/publish` measures it and writes these lines.
