package io.karmi.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.Test;

public class RecorderTest {
  /** Defines the classes of this package anew, and notes which ones it is asked for. */
  private static final class NotingLoader extends ClassLoader {
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    NotingLoader() {
      super(Recorder.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      asked.add(name);
      if (!name.startsWith(Recorder.class.getPackageName() + ".")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null ? known : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] file = in.readAllBytes();
        return defineClass(name, file, 0, file.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  public void aRecorderThatIsNotAskedLoadsNoClassOfEvents() throws Exception {
    NotingLoader loader = new NotingLoader();
    Object recorder =
        Class.forName(Recorder.class.getName(), true, loader).getMethod("instance").invoke(null);

    assertThat(recorder.getClass().getName()).isEqualTo(JfrRecorder.class.getName());
    assertThat(recorder.getClass().getClassLoader()).isSameAs(loader);
    assertThat(loader.asked)
        .contains(JfrRecorder.class.getName())
        .doesNotContain(
            CallEvent.class.getName(),
            ServedCallEvent.class.getName(),
            EitherCallEvent.class.getName(),
            "jdk.jfr.Event");
  }

  @Test
  public void callsThatBeginAreEventsOfTheirOwnKind() {
    JfrRecorder recorder = new JfrRecorder();

    assertThat(recorder.beginCall(false)).isInstanceOf(CallEvent.class);
    assertThat(recorder.beginCall(true)).isInstanceOf(ServedCallEvent.class);
  }
}
