package io.karmi.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.stacks.Stack;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
  public void timesAreThoseOfTheCalmestEighthOfTheRounds() {
    Report.Row row = report().rowsOf(KERNEL).get(0);
    assertThat(row.medianMicros()).as("second of 10, 20, 70, 90, 90, 91, 92, 93, 95").isEqualTo(20);
    assertThat(row.p99Micros()).isEqualTo(40);
  }

  @Test
  public void savedIsAPartOfTheFirstStacksTime() {
    Report report = report();
    assertThat(report.rowsOf(KERNEL))
        .extracting(Report.Row::savedPercent)
        .containsExactly(0.0, 75.0);
    assertThat(report.medianSavedPercent(Stack.KARMI_UKA.title())).isCloseTo(75, within(1e-9));
  }

  @Test
  public void aStackThatIsDisturbedInMostOfItsRoundsIsNotSlowerForIt() {
    Map<Stack, List<Measurement>> measured = new EnumMap<>(Stack.class);
    measured.put(Stack.RMI, rounds(30, 30, 30, 30, 30, 90, 90, 90));
    measured.put(Stack.KARMI_UKA, rounds(20, 20, 90, 90, 90, 90, 90, 90));
    assertThat(Report.of("title", measured).medianSavedPercent(Stack.KARMI_UKA.title()))
        .isCloseTo(100 / 3.0, within(1e-9));
  }

  @Test
  public void aSlowerStackHasSavedLessThanNothing() {
    Map<Stack, List<Measurement>> measured = new EnumMap<>(Stack.class);
    measured.put(Stack.RMI, rounds(20, 20, 20));
    measured.put(Stack.KARMI_UKA, rounds(25, 25, 25));
    Report report = Report.of("title", measured);
    assertThat(report.medianSavedPercent(Stack.KARMI_UKA.title())).isCloseTo(-25, within(1e-9));
    assertThat(TextTable.of(report)).contains("-25 %", "faster on 0 of 1");
  }

  @Test
  public void timesFloorIsTheRatioToTheRawSocket() {
    Map<Stack, List<Measurement>> measured = new EnumMap<>(Stack.class);
    measured.put(Stack.KARMI_UKA, rounds(12, 22, 90));
    measured.put(Stack.SOCKET, rounds(10, 20, 30));
    Report report = Report.of("title", measured);
    assertThat(report.rowsOf(KERNEL)).extracting(Report.Row::timesFloor).containsExactly(1.2, 1.0);
    assertThat(TextTable.of(report)).contains("x floor", "1.20", "1.00");
  }

  @Test
  public void theTableHasARowPerKernelAndStack() {
    String table = TextTable.of(report());
    assertThat(table)
        .contains(KERNEL, "stock RMI", "KaRMI + UKA", "75 %", "20.0", "faster on 1 of 1");
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
    measured.put(Stack.RMI, rounds(95, 10, 90, 20, 90, 70, 91, 92, 93));
    measured.put(Stack.KARMI_UKA, rounds(5, 4, 6, 7, 8, 9, 9, 9, 9));
    return Report.of("title", measured);
  }

  private static List<Measurement> rounds(int... micros) {
    return Arrays.stream(micros).mapToObj(ReportTest::measured).toList();
  }

  private static Measurement measured(int micros) {
    return new Measurement(KERNEL, micros * 1000, micros * 2000, 100, 32, 32, "same");
  }
}
