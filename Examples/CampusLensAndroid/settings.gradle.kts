pluginManagement {
  repositories {
    google()
    mavenCentral()
    gradlePluginPortal()
  }
}

dependencyResolutionManagement {
  repositories {
    google()
    mavenCentral()
  }
}

rootProject.name = "CampusLens"
// campus is the folder that `cupola export --format tflite` writes.
include(":app", ":campus")
