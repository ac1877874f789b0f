package io.karmi.uka.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.List;
import org.junit.Test;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/** The oracle itself: it must notice streams that differ, in what they do or in what they write. */
public class SameProgramTest {

  /** Says 7 whatever it is asked to write. */
  public static class WrongObjectOutputStream extends ObjectOutputStream {
    public WrongObjectOutputStream(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object o) {
      return 7;
    }
  }

  @Test
  public void streamsThatDifferAreNoticed() throws Exception {
    World wrong =
        new World(
            "wrong",
            WrongObjectOutputStream.class.getName().replace('.', '/'),
            "java/io/ObjectInputStream",
            true,
            false);
    Result result = run(wrong);
    assertThat(result.getFailures())
        .extracting(Failure::getTestHeader)
        .allMatch(name -> name.contains("[wrong]"))
        .hasSize(2);
  }

  @Test
  public void streamsThatAgreePass() throws Exception {
    assertThat(run(World.JDK).getFailures()).isEmpty();
  }

  private static Result run(World world) throws Exception {
    SameProgram runner = new SameProgram(io.karmi.uka.semantics.TwoStrings.class, List.of(world));
    return new JUnitCore().run(Request.runner(runner));
  }
}
