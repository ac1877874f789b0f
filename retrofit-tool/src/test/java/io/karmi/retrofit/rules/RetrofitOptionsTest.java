package io.karmi.retrofit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.Test;

public class RetrofitOptionsTest {
  @Test
  public void nothingGivenMeansEverythingEverywhere() {
    RetrofitOptions options = RetrofitOptions.parse(null);
    assertThat(options.has(Part.SERIALIZATION)).isTrue();
    assertThat(options.has(Part.RMI)).isTrue();
    assertThat(options.selects("a.B")).isTrue();
    assertThat(options.trace()).isFalse();
  }

  @Test
  public void onlySwapsInOnePart() {
    RetrofitOptions options = RetrofitOptions.parse("only=rmi");
    assertThat(options.has(Part.SERIALIZATION)).isFalse();
    assertThat(options.has(Part.RMI)).isTrue();
    assertThat(options.weave()).isFalse();
  }

  @Test
  public void aStarStandsForAnyCharacters() {
    RetrofitOptions options = RetrofitOptions.parse("include=com.acme.*,include=*.Matrix");
    assertThat(options.selects("com.acme.A")).isTrue();
    assertThat(options.selects("com.acme.deep.A$B")).isTrue();
    assertThat(options.selects("org.Matrix")).isTrue();
    assertThat(options.selects("com.acmeA")).isFalse();
    assertThat(options.selects("org.Matrix2")).isFalse();
  }

  @Test
  public void excludeWinsOverInclude() {
    RetrofitOptions options = RetrofitOptions.parse("include=a.*, exclude=a.b.*");
    assertThat(options.selects("a.C")).isTrue();
    assertThat(options.selects("a.b.C")).isFalse();
  }

  @Test
  public void theLastWordOnWeavingCounts() {
    assertThat(RetrofitOptions.parse("weave").weave()).isTrue();
    assertThat(RetrofitOptions.parse("weave,no-weave").weave()).isFalse();
    assertThat(RetrofitOptions.parse("no-weave,weave").weave()).isTrue();
  }

  @Test
  public void weavingNeedsTheObjectStreams() {
    assertThatThrownBy(() -> RetrofitOptions.parse("weave,only=rmi"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("weave and only=rmi contradict each other");
    assertThat(RetrofitOptions.parse("weave,no-weave,only=rmi").weave()).isFalse();
    assertThat(RetrofitOptions.parse("weave,only=serialization").weave()).isTrue();
  }

  @Test
  public void wrongOptionsAreNamed() {
    assertThatThrownBy(() -> RetrofitOptions.parse("colour=red"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'colour'");
    assertThatThrownBy(() -> RetrofitOptions.parse("only=network"))
        .hasMessageContaining("only=network");
    assertThatThrownBy(() -> RetrofitOptions.parse("include="))
        .hasMessageContaining("include needs a pattern");
  }
}
