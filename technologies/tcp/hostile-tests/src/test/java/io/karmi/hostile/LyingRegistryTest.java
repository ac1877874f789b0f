package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.hostile.WireBytes;
import io.karmi.rmi.LocateRegistry;
import java.rmi.UnmarshalException;
import java.rmi.registry.Registry;
import org.junit.Test;

/** A registry that answers with what is neither a remote object nor names. */
public class LyingRegistryTest {
  private static final long[] NODE = {4711, 1};

  /** The string of one character, in UKA's format. */
  private static final WireBytes STRING = new WireBytes().u8(0x11, 'x');

  @Test
  public void itsAnswersFailAsThoseOfStockRmi() throws Exception {
    try (Impostor registry = new Impostor(NODE, STRING)) {
      Registry asked = LocateRegistry.getRegistry("127.0.0.1", registry.port());
      assertThatThrownBy(() -> asked.lookup("any"))
          .isInstanceOf(UnmarshalException.class)
          .hasRootCauseInstanceOf(ClassCastException.class);
      assertThatThrownBy(asked::list)
          .isInstanceOf(UnmarshalException.class)
          .hasRootCauseInstanceOf(ClassCastException.class);
    }
  }
}
