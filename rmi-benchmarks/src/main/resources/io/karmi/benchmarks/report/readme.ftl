<#macro jdk section>${section.conditions.jdk()?keep_before(" (")}</#macro>
Share of stock RMI's time that is saved, as the median over the measured kernels and payloads. The number of these is in
brackets.

| stack | configuration |<#list sections as section> <@jdk section/> |</#list> the paper |
|---|---|<#list sections as section>---|</#list>---|
<#list savings as row>
| ${row.stack()} | ${row.configuration()} |<#list row.cells() as cell> ${cell} |</#list> ${row.paper()} |
</#list>

- The same unmodified programs run on each stack, both ends in JVMs of their own on one machine. Dirmi and gRPC-java run
  programs of their own.
- Measured were ${measured} kernels and payloads of ${collection?c} in the collection.<#if ofThePaper> All of the paper's
  section 6.1 are among them.</#if>
- Each was measured in ${rounds} rounds after a warm-up. The time of a kernel is that of a calm round: one round in eight
  was as fast or faster. Small calls through shared memory have
  [two speeds](measurements/spinning.md#shared-memory-has-two-speeds), and calm rounds show the faster one.
- The paper's medians are from two machines, over Ethernet (45 %) and over a fast network (85 %).

<details><summary>Single calls, and figures 4, 5 and table 3 of the report</summary>

Median call in µs:

| call | JDK | stock RMI | KaRMI | raw socket |
|---|---|---|---|---|
<#list calls as call>
| `${call.kernel()}` | <@jdk call.section()/> | ${call.rmi()} | ${call.karmi()} | ${call.socket()} |
</#list>

<#list pictures as picture>
<picture><source media="(prefers-color-scheme: dark)" srcset="${folder}/${picture}-dark.svg"><img alt="${picture?replace("-", " ")} of the report" src="${folder}/${picture}.svg"></picture>

</#list>
</details>

Measured on ${sections[0].conditions.machine()}, ${sections[0].conditions.processors()} processors<#if sections[0].conditions.processorsAwake()>, kept awake<#else>, which may sleep</#if>; commit ${sections[0].conditions.commit()},
${sections[0].conditions.date()?keep_before("T")}. `scripts/publish` measures all of it and writes this section.
