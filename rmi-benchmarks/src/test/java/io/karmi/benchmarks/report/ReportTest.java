package io.karmi.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.stacks.Stack;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ReportTest {
  private static final String KERNEL = "ping(<&>)";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void valuesAreMediansOfTheRounds() {
    Report.Row row = report().rowsOf(KERNEL).get(0);
    assertThat(row.medianMicros()).isEqualTo(20);
    assertThat(row.p99Micros()).isEqualTo(40);
  }

  @Test
  public void savedIsTheMedianOfWhatEachRoundSavedOfTheFirstStack() {
    Report report = report();
    assertThat(report.rowsOf(KERNEL))
        .extracting(Report.Row::savedPercent)
        .containsExactly(0.0, 80.0);
    assertThat(report.medianSavedPercent(Stack.KARMI_UKA.title())).isCloseTo(80, within(1e-9));
  }

  @Test
  public void timesFloorIsTheMedianOfTheRoundsRatios() {
    Map<Stack, List<Measurement>> measured = new EnumMap<>(Stack.class);
    measured.put(Stack.KARMI_UKA, List.of(measured(12), measured(22), measured(90)));
    measured.put(Stack.SOCKET, List.of(measured(10), measured(20), measured(30)));
    Report report = Report.of("title", measured);
    assertThat(report.rowsOf(KERNEL)).extracting(Report.Row::timesFloor).containsExactly(1.2, 1.0);
    assertThat(TextTable.of(report)).contains("x floor", "1.20", "1.00");
  }

  @Test
  public void theTableHasARowPerKernelAndStack() {
    String table = TextTable.of(report());
    assertThat(table)
        .contains(KERNEL, "stock RMI", "KaRMI + UKA", "80 %", "20.0", "faster on 1 of 1");
  }

  @Test
  public void thePageHoldsThePictureAndEscapesNames() throws Exception {
    Path page = folder.getRoot().toPath().resolve("report").resolve("index.html");
    HtmlPage.write(report(), page);
    assertThat(Files.readString(page)).contains("<svg", "ping(&lt;&amp;&gt;)", "</html>");
    String svg = Files.readString(page.resolveSibling("index.svg"));
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement()
                .getElementsByTagName("rect")
                .getLength())
        .as("background, two in the legend, two bars")
        .isEqualTo(5);
  }

  private static Report report() {
    Map<Stack, List<Measurement>> measured = new EnumMap<>(Stack.class);
    measured.put(Stack.RMI, List.of(measured(10), measured(20), measured(90)));
    measured.put(Stack.KARMI_UKA, List.of(measured(5), measured(4), measured(6)));
    return Report.of("title", measured);
  }

  private static Measurement measured(int micros) {
    return new Measurement(KERNEL, micros * 1000, micros * 2000, 100, 32, 32, "same");
  }
}
